<?php
throw new Exception("seven");
