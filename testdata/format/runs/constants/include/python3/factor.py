FACTOR = {{factor}}
WORD = "{{most.words}} {{stranger}}"
