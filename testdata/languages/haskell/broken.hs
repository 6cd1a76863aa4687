main :: IO ()
main = putStrLn (1 + "seven" :: Int)
