/* The protocol of docs/ring_protocol.md for spin, which scripts/check-model runs: two threads that send, two that receive, one that calls, the kernel and
 * the service that keeps it running. Nothing is lost, duplicated, handled out of order or answered to the wrong thread, and
 * everybody comes to an end. Statements stand alone where the code has one atomic operation or one plain access. */

#ifndef SLOTS
#define SLOTS 2        /* capacity */
#endif
#define LAPS 4         /* lap numbers begin anew after so many, as after 2^28 in the code */
#ifndef EACH
#define EACH 2         /* messages of each sender */
#endif
#ifndef CALLS
#define CALLS 2        /* calls of the caller */
#endif
#define ALL (2 * EACH + CALLS)

#define FREE 0         /* what is wanted of a slot */
#define POST 1
#define SEND 2
#define CALL 3
#define REPLIED 4      /* outcome, added to it */

#ifndef BROKEN
#define BROKEN 0       /* a planted fault, which must be found */
#endif
#define WORD_FIRST 1   /* a sender writes the word before the message */
#define END_LATE 2     /* the service looks for the end behind the last message */
#define SLEEPY 3       /* the service does not look again before it sleeps */
#define FREE_EARLY 4   /* a receiver frees the slot before it reads the reply */

#define LAP(n) (((n) / SLOTS) % LAPS)
#define STATE(n, what) (LAP(n) * 8 + (what))
#define AFTER(n) STATE((n) + SLOTS, FREE)

byte state[SLOTS];     /* all free for lap 0 */
byte message[SLOTS];
byte reply[SLOTS];
byte sent, received;   /* the host's counters */

bool handled[ALL + 1]; /* by value of the message, from 1 */
bool answered[ALL + 1];
byte replies_left = 2 * EACH - 1; /* one of the messages is a post */
byte finished;

bool leave, closing, parked, woken, running, over;
byte next;             /* the kernel's */

inline claim(n) {
  do
  :: true ->
     n = sent;
     if
     :: state[n % SLOTS] == STATE(n, FREE) ->
        atomic {
          if
          :: sent == n -> sent = n + 1; break
          :: else
          fi
        }
     :: else
     fi
  od
}

inline wake() {
  if
  :: parked -> woken = true
  :: else
  fi
}

inline put(n, value, wanted) {
  claim(n);
#if BROKEN == WORD_FIRST
  state[n % SLOTS] = STATE(n, wanted);
  message[n % SLOTS] = value;
#else
  message[n % SLOTS] = value;
  state[n % SLOTS] = STATE(n, wanted);
#endif
  wake()
}

proctype sender(byte first) {
  byte n, i = 0;
  do
  :: i < EACH ->
     if
     :: first == 1 && i == 0 -> put(n, first + i, POST)
     :: else -> put(n, first + i, SEND)
     fi;
     i++
  :: else -> break
  od;
  finished++
}

proctype caller(byte first) {
  byte n, i = 0;
  do
  :: i < CALLS ->
     put(n, first + i, CALL);
     state[n % SLOTS] == STATE(n, CALL + REPLIED);
     assert(reply[n % SLOTS] == first + i);
     assert(!answered[first + i]);
     answered[first + i] = true;
     state[n % SLOTS] = AFTER(n);
     i++
  :: else -> break
  od;
  finished++
}

proctype receiver() {
  byte n, seen, last = 0;
  do
  :: replies_left == 0 -> break
  :: else ->
     n = received;
     if
     :: n == sent -> skip
     :: else ->
        seen = state[n % SLOTS];
        if
        :: seen == STATE(n, FREE) || seen == STATE(n, SEND) -> skip         /* not there yet */
        :: else ->
           atomic {
             if
             :: received == n -> received = n + 1
             :: else -> seen = 255
             fi
           };
           if
           :: seen == STATE(n, SEND + REPLIED) ->
              assert(n >= last);
              last = n;
#if BROKEN == FREE_EARLY
              state[n % SLOTS] = AFTER(n);
#endif
              assert(!answered[reply[n % SLOTS]]);
              answered[reply[n % SLOTS]] = true;
              state[n % SLOTS] = AFTER(n);
              replies_left--
           :: else                                                           /* another's, or lost the race */
           fi
        fi
     fi
  od;
  finished++
}

proctype kernel() {
  byte seen;
  do
  :: running ->
     seen = state[next % SLOTS];
     if
     :: leave -> running = false
     :: else ->
        if
        :: seen > STATE(next, FREE) && seen <= STATE(next, CALL) ->
           assert(!handled[message[next % SLOTS]]);
           handled[message[next % SLOTS]] = true;
           reply[next % SLOTS] = message[next % SLOTS];
           if
           :: seen == STATE(next, POST) -> state[next % SLOTS] = AFTER(next)
           :: else -> state[next % SLOTS] = seen + REPLIED
           fi;
           next++
        :: else -> running = false /* it was idle for long enough; or not, which is the round before */
        fi
     fi
  :: over -> break
  od
}

#define WORK (state[next % SLOTS] > STATE(next, FREE) && state[next % SLOTS] <= STATE(next, CALL))

/* What was sent before closing is handled: closing is read before the slot. */
proctype service() {
  bool ends;
  do
  :: true ->
     ends = closing;
     if
     :: WORK ->
        leave = false;
        running = true;
        !running
     :: else ->
        if
#if BROKEN == END_LATE
        :: closing -> break
#else
        :: ends -> break
#endif
        :: else ->
           woken = false;
           parked = true;
#if BROKEN != SLEEPY
           if
           :: WORK || closing -> skip
           :: else -> woken
           fi;
#else
           woken;
#endif
           parked = false
        fi
     fi
  od;
  over = true
}

init {
  atomic {
    run sender(1);
    run sender(1 + EACH);
    run caller(1 + 2 * EACH);
    run receiver();
    run receiver();
    run kernel();
    run service()
  };
  finished == 5;
  closing = true;
  leave = true;
  woken = true;
  over;
  byte i = 1;
  do
  :: i <= ALL ->
     assert(handled[i]);
     assert(answered[i] || i == 1);
     i++
  :: else -> break
  od
}
