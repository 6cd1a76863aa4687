<?php
function total(string $text): int
{
    return array_sum(array_slice(preg_split('/\s+/', trim($text)), 1));
}
