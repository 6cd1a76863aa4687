main :: IO ()
main = do
  text <- getContents
  let numbers = map read (tail (words text)) :: [Integer]
  print (sum numbers + 1)
