/* pages.json as one process: a state of SPIN is a snapshot, a transition is a move.
   "mailed": the code of the newest mail is the one that the service waits for. A tab that shows or loads the
   confirmation has the code of that mail: only the tab itself can bring another mail. */
mtype = { off, home, joining, joined, closed, loading, shown, unreachable, getJoin, postJoin, confirm,
          nothing, sent, held, lost, pageJoin, pageMail, pageUsed, redirect };
mtype at = off, tab = closed;
/* What the tab asked for while it loads or could not be reached; what becomes of it; what is held or shown. */
mtype asked = nothing, fate = nothing, content = nothing;
bit online, hasMail, mailed, hasCode;

#define waits !(tab == loading && fate == sent)
#define answering (tab == loading && fate == sent && online)
#define pending (tab == loading && fate != sent)

inline leave() { tab = closed; asked = nothing; fate = nothing; content = nothing }
inline load(what) { leave(); tab = loading; asked = what; fate = sent }
inline fail() { tab = unreachable; fate = nothing; content = nothing }
inline act() {
  if
  :: asked == getJoin -> content = pageJoin
  :: asked == postJoin -> content = pageMail; hasMail = 1; hasCode = 1; mailed = 1
  :: asked == confirm && hasCode && mailed -> content = redirect; hasCode = 0; mailed = 0
  :: else -> content = pageUsed
  fi
}
/* The page is shown; the redirect reaches the app, which it starts if need be. */
inline arrive() {
  if
  :: content == redirect -> leave(); at = joined
  :: else -> tab = shown; asked = nothing; fate = nothing
  fi
}

active proctype world() {
  if :: d_step { online = 1 } :: d_step { online = 0 } fi;
  do
  :: d_step { at == off && waits -> at = home }
  :: d_step { at != off && waits -> at = off; leave() }
  :: d_step { waits && !pending -> online = !online }
  :: d_step { pending -> online = 0; fail() }
  /* The person. */
  :: d_step { at == home && waits -> at = joining; load(getJoin) }
  :: d_step { hasMail && waits -> load(confirm) }
  :: d_step { content == pageJoin && tab == shown -> load(postJoin) }
  :: d_step { content == pageMail && tab == shown -> load(getJoin) }
  :: d_step { tab == unreachable && asked == getJoin -> load(getJoin) }
  :: d_step { tab == unreachable && asked == postJoin -> load(postJoin) }
  :: d_step { tab == unreachable && asked == confirm -> load(confirm) }
  :: d_step { tab != closed && waits -> leave(); if :: at == joining -> at = home :: else fi }
  /* What becomes of a request: answered; not sent; lost; held up. */
  :: d_step { answering -> act(); arrive() }
  :: d_step { tab == loading && fate == sent -> fail() }
  :: d_step { answering -> act(); fate = lost; content = nothing }
  :: d_step { answering -> act(); fate = held }
  /* Time: the answer comes, or the time-out. */
  :: d_step { fate == held -> arrive() }
  :: d_step { fate == lost -> fail() }
  od
}
