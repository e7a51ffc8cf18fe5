/* heartbeat.json as one process: a state of SPIN is a snapshot, a transition is a move.
   A device event that nothing took is kept: "unheard", and "due" once a state was entered since. */
mtype = { off, beating, resting, paused, ended, none, wasOnline, wasOffline };
mtype at = off, unheard = none;
bit online, due;
byte inner, outer;

inline entered() { if :: unheard != none -> due = 1 :: else fi }
inline pause() { at = paused; inner = 25; outer = 0; entered() }
inline hear() { unheard = none; due = 0 }
/* The wait that is entered names device.offline: what nothing took is offered once more while it holds. */
inline begin() {
  at = beating; inner = 6; outer = 20; entered();
  if :: (unheard == wasOffline && due && !online) -> hear(); pause() :: else fi
}
inline end() { at = ended; inner = 0; outer = 0; entered() }
inline stop() { at = off; inner = 0; outer = 0; hear() }

active proctype world() {
  if :: d_step { online = 1 } :: d_step { online = 0 } fi;
  do
  :: d_step { at == off -> hear(); begin() }
  :: d_step { at != off -> stop() }
  /* The network. */
  :: d_step { at == off -> online = !online }
  :: d_step { (at == beating || at == resting) && online -> online = 0; hear(); pause() }
  :: d_step { (at == beating || at == resting) && !online -> online = 1; hear(); unheard = wasOnline }
  :: d_step { at == paused -> online = 1; hear(); begin() }
  :: d_step { at == ended && online -> online = 0; hear(); unheard = wasOffline }
  :: d_step { at == ended && !online -> online = 1; hear(); unheard = wasOnline }
  /* The person. */
  :: d_step { at == ended -> begin() }
  /* Time: the inner timer first where both are due. */
  :: d_step { at == beating && inner <= outer -> outer = outer - inner; at = resting; inner = 9; entered() }
  :: d_step { at == resting && inner <= outer -> outer = outer - inner; at = beating; inner = 6; entered() }
  :: d_step { (at == beating || at == resting) && outer < inner -> end() }
  :: d_step { at == paused -> end() }
  od
}
