<?php
echo "seven"
echo "eight";
