/* rotation.json as one process: a state of SPIN is a snapshot, a transition is a move.
   Fresh values are only compared, so a token is none, the one that the service knows, or an older one. */
mtype = { off, signedOut, ready, signingIn, renewing, none, current, older, sent, heldYes, heldNo, lost };
mtype at = off, token = none, answer = none;
bit online, known;

#define asking (at == signingIn || at == renewing)
#define open (asking && answer == sent && online)
#define pending (asking && answer != sent)
/* What the service says to what the app sent. */
#define grants (at == signingIn || token == current)

/* The service makes a new token: what the app has becomes old. */
inline act() {
  if :: grants -> known = 1; if :: token != none -> token = older :: else fi :: else fi
}
inline launch() { if :: token != none -> at = ready :: else -> at = signedOut fi }
inline yes() { token = current; at = ready; answer = none }
inline no() { token = none; at = signedOut; answer = none }
inline failed() { if :: at == signingIn -> at = signedOut :: else -> at = ready fi; answer = none }
inline kill() { at = off; answer = none }

active proctype world() {
  if :: d_step { online = 1 } :: d_step { online = 0 } fi;
  do
  :: d_step { at == off -> launch() }
  :: d_step { (at == signedOut || at == ready || pending) -> kill() }
  :: d_step { (at == signedOut || at == ready || at == off) -> online = !online }
  /* Going offline loses what is pending at once. */
  :: d_step { pending -> online = 0; failed() }
  /* The person. */
  :: d_step { at == signedOut -> at = signingIn; answer = sent }
  :: d_step { at == ready -> at = renewing; answer = sent }
  /* What becomes of a request: answered, also with a kill in place of the write; busy; not sent; lost; held up. */
  :: d_step { open && grants -> act(); yes() }
  :: d_step { open && grants -> act(); kill() }
  :: d_step { open && !grants -> no() }
  :: d_step { open && !grants -> kill() }
  :: d_step { open -> failed() }
  :: d_step { asking && answer == sent -> failed() }
  :: d_step { open -> act(); answer = lost }
  :: d_step { open && grants -> act(); answer = heldYes }
  :: d_step { open && !grants -> answer = heldNo }
  /* Time: the answer comes, or the time-out. */
  :: d_step { answer == heldYes -> yes() }
  :: d_step { answer == heldYes -> kill() }
  :: d_step { answer == heldNo -> no() }
  :: d_step { answer == heldNo -> kill() }
  :: d_step { answer == lost -> failed() }
  od
}
