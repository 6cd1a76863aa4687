if true; then
    echo "seven"
