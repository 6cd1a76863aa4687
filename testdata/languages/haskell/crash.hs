main :: IO ()
main = print (([] :: [Int]) !! 7)
