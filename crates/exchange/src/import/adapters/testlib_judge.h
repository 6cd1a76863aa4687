/* Written by `kopek import`: translates the exit codes of testlib.
 *
 * `--points=N` among the arguments: a test has N points, so a program that gives
 * P points gives the share P/N. Without it only full points are accepted. All
 * other arguments go to the original. */
#include "adapter.h"

struct call {
    const char *feedback;
    double points;       /* 0: there is no scoring */
    char **rest;
    int rest_count;
};

static struct call read_call(int count, char **words) {
    struct call call = {0, 0, 0, 0};
    int i;
    if (count < 4) failed("call: input answer feedback/ [--points=N] [argument...]");
    call.feedback = words[3];
    call.rest = (char **)calloc((size_t)count, sizeof *words);
    if (!call.rest) failed("no memory");
    for (i = 4; i < count; i++) {
        if (!strncmp(words[i], "--points=", 9)) call.points = atof(words[i] + 9);
        else call.rest[call.rest_count++] = words[i];
    }
    return call;
}

/* `original first second third arguments...`, its messages kept for the judge. */
static int ask(entry *original, struct call *call, char *first, char *second, char *third, int in, int out,
               char **said) {
    char name[] = "original", *messages = in_feedback(call->feedback, "judgemessage.txt");
    char **words = (char **)calloc((size_t)call->rest_count + 5, sizeof *words);
    int i, code, err = opened(messages, O_WRONLY | O_CREAT | O_APPEND);
    off_t before = lseek(err, 0, SEEK_END);
    if (!words) failed("no memory");
    words[0] = name, words[1] = first, words[2] = second, words[3] = third;
    for (i = 0; i < call->rest_count; i++) words[4 + i] = call->rest[i];
    code = run(original, 4 + call->rest_count, words, in, out, err);
    *said = beginning(messages, before);
    close(err);
    return code;
}

static int share_of(struct call *call, double share) {
    if (share >= 1) return ACCEPT;
    if (share <= 0 || call->points <= 0) return REFUSE;
    write_share(call->feedback, share);
    return ACCEPT;
}

/* The message decides first: `_pc(1)` has the exit code of a wrong answer. */
static int judged(struct call *call, int code, const char *said) {
    const char *partly = "partially correct (";
    if (!strncmp(said, partly, strlen(partly))) return share_of(call, atof(said + strlen(partly)) / 100);
    switch (code) {
    case 0: return ACCEPT;
    case 1:             /* wrong answer */
    case 2:             /* presentation error */
    case 4:             /* dirt at the end */
    case 8:             /* unexpected end of file */
    case KILLED_BY_PIPE: return REFUSE;
    case 7:
        if (strncmp(said, "points ", 7)) failed("the original gives points, but its message names none");
        return share_of(call, atof(said + 7) / (call->points > 0 ? call->points : 1));
    case KILLED: failed("the original program was killed by a signal"); break;
    default: fprintf(stderr, "exit code %d: ", code); failed(said);
    }
    return FAILED;
}
