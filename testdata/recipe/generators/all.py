import sys
open('testcase.in','w').write('1\n'+' '.join(sys.argv[1:])+'\n'); open('testcase.ans','w').write('42\n'); print('lost')
