# Hostile: asks a friend outside for the answers.
import socket
import sys

friend = socket.create_connection(("127.0.0.1", 9), timeout=0.2)
friend.sendall(sys.stdin.buffer.read())
print(friend.recv(1 << 16).decode())
