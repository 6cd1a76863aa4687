" Vim and Neovim read this file with `set exrc`.
" :make tests the open file, :make --debug finds invalid memory access; :copen lists the errors.
let &makeprg = 'kopek test %:S --format lines $*'
let &errorformat = '%f:%l:%c: %trror: %m,%f:%l:%c: %tarning: %m,%-G%.%#'
" Judge the open file with the package in this folder, and check that package.
command! KopekRun cexpr system('kopek run . ' . shellescape(expand('%')) . ' --format lines')
command! KopekVerify cexpr system('kopek verify . --format lines')
