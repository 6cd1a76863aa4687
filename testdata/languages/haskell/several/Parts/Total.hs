module Parts.Total (total) where

total :: String -> Integer
total = sum . map read . drop 1 . words
