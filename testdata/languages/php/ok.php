<?php
$tokens = preg_split('/\s+/', trim(stream_get_contents(STDIN)));
echo array_sum(array_slice($tokens, 1)), "\n";
