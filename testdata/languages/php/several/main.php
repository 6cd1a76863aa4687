<?php
require "total.php";

echo total(stream_get_contents(STDIN)), "\n";
