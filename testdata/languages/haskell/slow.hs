import Data.IORef

main :: IO ()
main = do
  count <- newIORef (0 :: Int)
  let spin = modifyIORef' count (+ 1) >> readIORef count >>= \i -> if i < 0 then print i else spin
  spin
