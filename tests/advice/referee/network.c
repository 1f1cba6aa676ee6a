/* DCQCN packet by packet on paths of several queues: what one bottleneck does not have.
 *
 *   cc -O2 -o network network.c -lm
 *   ./network packet_B feedback_us seconds seed < network
 *
 * A line of the network is `Q Gbit/s kmin_KB kmax_KB pmax`, a queue (numbered from 0, in order), or
 * `F senders Gbit/s queue queue ... -1`, senders of that line rate and the queues that their packets cross, or
 * `P held behind xoff_KB xon_KB`: the queue `held` rests from when `behind` is above xoff until it is down to xon.
 * Prints for each queue the mean and standard deviation (KB), the part of the time in which it was not empty and the
 * part in which it was above kmax (%), and for each line of senders their rate together (Gbit/s), all of the second
 * half. Packets are marked as they leave a queue, by what is behind them; a packet that is marked at several queues is
 * one mark. Parameters as in Zhu et al., SIGCOMM'15; no hyper increase, no PFC but by `P`. Senders begin at an even
 * share of the slowest queue on their path.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEND, LEAVE, CNP, TIMER, DECAY };
enum { MOST_QUEUES = 64, MOST_HOPS = 6 };
typedef struct { double at; int what, who; } Event;
typedef struct { int flow, hop, marked; } Packet;
typedef struct {
    double speed, kmin, kmax, pmax;
    Packet *ring;
    long first, held, room;
    double since, sum, squares, busy, beyond, xoff, xon;
    int flows, holds, paused, leaving; /* holds: the queue before it that it pauses, or -1 */
} Queue;
typedef struct {
    int group, hops, path[MOST_HOPS];
    double line, rate, target, alpha, cnp, sent, timer, decay;
    int by_time, by_bytes;
    long passed;
} Flow;

static Event *heap;
static long events, space;
static Queue queues[MOST_QUEUES];
static Flow *flows;
static double packet, feedback, end, now;
static unsigned long long state = 0x9E3779B97F4A7C15ULL;

static double chance(void) {
    state ^= state >> 12; state ^= state << 25; state ^= state >> 27;
    return (double)((state * 0x2545F4914F6CDD1DULL) >> 11) / 9007199254740992.0;
}

static void later(double at, int what, int who) {
    if (events == space) {
        space = space ? 2 * space : 4096;
        heap = realloc(heap, space * sizeof *heap);
    }
    long i = events++;
    while (i && heap[(i - 1) / 2].at > at) { heap[i] = heap[(i - 1) / 2]; i = (i - 1) / 2; }
    heap[i] = (Event){at, what, who};
}

static Event next(void) {
    Event top = heap[0], moved = heap[--events];
    long i = 0;
    for (;;) {
        long child = 2 * i + 1;
        if (child >= events) break;
        if (child + 1 < events && heap[child + 1].at < heap[child].at) child++;
        if (moved.at <= heap[child].at) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
    return top;
}

static void observe(Queue *q) { /* the queue stood still since it was last seen */
    double from = q->since > end / 2 ? q->since : end / 2, size = q->held * packet;
    if (now > from) {
        q->sum += size * (now - from);
        q->squares += size * size * (now - from);
        if (q->held) q->busy += now - from;
        if (size > q->kmax) q->beyond += now - from;
    }
    q->since = now;
}

static void begin(int number) { /* to send a packet, if there is one and nothing hinders */
    Queue *q = &queues[number];
    if (!q->held || q->paused || q->leaving) return;
    q->leaving = 1;
    later(now + packet * 8 / q->speed, LEAVE, number);
}

static void arrive(int number, Packet p) {
    Queue *q = &queues[number];
    observe(q);
    if (q->held == q->room) {
        long room = q->room ? 2 * q->room : 1024;
        Packet *ring = malloc(room * sizeof *ring);
        for (long i = 0; i < q->held; i++) ring[i] = q->ring[(q->first + i) % q->room];
        free(q->ring);
        q->ring = ring; q->room = room; q->first = 0;
    }
    q->ring[(q->first + q->held++) % q->room] = p;
    begin(number);
    if (q->holds >= 0 && q->held * packet > q->xoff) queues[q->holds].paused = 1;
}

static void leave(int number) {
    Queue *q = &queues[number];
    observe(q);
    Packet p = q->ring[q->first];
    q->first = (q->first + 1) % q->room;
    q->held--;
    q->leaving = 0;
    begin(number);
    if (q->holds >= 0 && q->held * packet <= q->xon && queues[q->holds].paused) {
        queues[q->holds].paused = 0;
        begin(q->holds);
    }
    double behind = q->held * packet;
    double part = behind <= q->kmin ? 0 : behind > q->kmax ? 1 : q->pmax * (behind - q->kmin) / (q->kmax - q->kmin);
    if (chance() < part) p.marked = 1;
    Flow *f = &flows[p.flow];
    if (++p.hop < f->hops) { arrive(f->path[p.hop], p); return; }
    if (now > end / 2) f->passed++;
    if (p.marked && now - f->cnp >= 50e-6) { f->cnp = now; later(now + feedback, CNP, p.flow); }
}

static void increase(Flow *f) {
    if ((f->by_time > f->by_bytes ? f->by_time : f->by_bytes) > 5) f->target = fmin(f->target + 40e6, f->line);
    f->rate = fmin((f->rate + f->target) / 2, f->line);
}

int main(int argc, char **argv) {
    if (argc != 5) { fprintf(stderr, "usage: network packet_B feedback_us seconds seed < network\n"); return 2; }
    packet = atof(argv[1]); feedback = atof(argv[2]) * 1e-6; end = atof(argv[3]);
    state ^= strtoull(argv[4], 0, 10) * 0xD1342543DE82EF95ULL;
    int count = 0, senders = 0, groups = 0;
    double speed[MOST_QUEUES];
    char kind[8];
    while (scanf("%7s", kind) == 1) {
        if (!strcmp(kind, "Q")) {
            Queue *q = &queues[count];
            if (count == MOST_QUEUES || scanf("%lf %lf %lf %lf", &q->speed, &q->kmin, &q->kmax, &q->pmax) != 4) return 2;
            q->speed *= 1e9; q->kmin *= 1e3; q->kmax *= 1e3; speed[count] = q->speed; q->holds = -1; count++;
        } else if (!strcmp(kind, "P")) {
            int held, behind;
            double xoff, xon;
            if (scanf("%d %d %lf %lf", &held, &behind, &xoff, &xon) != 4 || held >= count || behind >= count) return 2;
            queues[behind].holds = held; queues[behind].xoff = xoff * 1e3; queues[behind].xon = xon * 1e3;
        } else {
            Flow f = {.group = groups++, .alpha = 0.05, .cnp = -1};
            int number, queue;
            if (scanf("%d %lf", &number, &f.line) != 2) return 2;
            f.line *= 1e9;
            while (scanf("%d", &queue) == 1 && queue >= 0) {
                if (f.hops == MOST_HOPS || queue >= count) return 2;
                f.path[f.hops++] = queue;
            }
            flows = realloc(flows, (senders + number) * sizeof *flows);
            for (int i = 0; i < number; i++) flows[senders++] = f;
            for (int i = 0; i < f.hops; i++) queues[f.path[i]].flows += number;
        }
    }
    for (int i = 0; i < senders; i++) {
        Flow *f = &flows[i];
        f->rate = f->line;
        for (int h = 0; h < f->hops; h++) f->rate = fmin(f->rate, speed[f->path[h]] / queues[f->path[h]].flows);
        f->target = f->rate;
        later(chance() * packet * 8 / f->rate, SEND, i);
        later(f->timer = chance() * 55e-6, TIMER, i);
        later(f->decay = 55e-6, DECAY, i);
    }
    while (events) {
        Event e = next();
        if (e.at > end) break;
        now = e.at;
        if (e.what == LEAVE) { leave(e.who); continue; }
        Flow *f = &flows[e.who];
        if (e.what == SEND) {
            arrive(f->path[0], (Packet){e.who, 0, 0});
            f->sent += packet;
            if (f->sent >= 10e6) { f->sent -= 10e6; f->by_bytes++; increase(f); }
            later(now + packet * 8 / f->rate, SEND, e.who);
        } else if (e.what == CNP) {
            f->target = f->rate;
            f->rate = fmax(f->rate * (1 - f->alpha / 2), 1e6);
            f->alpha += (1 - f->alpha) / 256;
            f->by_time = f->by_bytes = 0; f->sent = 0;
            later(f->timer = now + 55e-6, TIMER, e.who);
            later(f->decay = now + 55e-6, DECAY, e.who);
        } else if (e.what == TIMER && e.at == f->timer) {
            f->by_time++; increase(f);
            later(f->timer = now + 55e-6, TIMER, e.who);
        } else if (e.what == DECAY && e.at == f->decay) {
            f->alpha -= f->alpha / 256;
            later(f->decay = now + 55e-6, DECAY, e.who);
        }
    }
    now = end;
    for (int i = 0; i < count; i++) {
        Queue *q = &queues[i];
        observe(q);
        double mean = q->sum / (end / 2), square = q->squares / (end / 2);
        double sd = sqrt(fmax(square - mean * mean, 0));
        printf("Q %.1f %.1f %.2f %.2f\n", mean / 1e3, sd / 1e3, 200 * q->busy / end, 200 * q->beyond / end);
    }
    for (int g = 0; g < groups; g++) {
        long passed = 0;
        for (int i = 0; i < senders; i++) if (flows[i].group == g) passed += flows[i].passed;
        printf("F %.3f\n", passed * packet * 16 / end / 1e9);
    }
    return 0;
}
