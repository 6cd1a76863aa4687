module Main where

import Parts.Total (total)

main :: IO ()
main = interact ((++ "\n") . show . total)
