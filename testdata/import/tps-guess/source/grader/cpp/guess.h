int ask(int number);
void guess();
