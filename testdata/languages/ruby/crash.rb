puts nil.length
