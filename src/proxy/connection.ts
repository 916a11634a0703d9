import type { CaptureOptions } from '../capture/capture.ts';
import type { Channel } from '../capture/channel.ts';
import type { Handshake, Refusal } from '../capture/handshake.ts';
import { Session, type SessionOptions } from '../capture/session.ts';
import type { Source } from '../config/types.ts';
import type { HostPaths } from '../lock/mask.ts';
import { CallDeadline } from './call-deadline.ts';

/** A server that is running, or a remote one that is connected, with a session that has begun. */
export interface Connection {
  session: Session;
  handshake: Handshake;
  /** To be masked when its surface is pinned. */
  paths: HostPaths;
  source: Source;
  /** The limit for what is asked outside of a call; see {@link CallDeadline}. */
  deadline: CallDeadline;
  /** Resolves when the server's process is gone; never for a remote one. */
  exited: Promise<unknown>;
  /** Ends the session, and the process with everything that it started. */
  end(): Promise<void>;
}

export interface ConnectOptions
  extends Pick<
    CaptureOptions,
    'timeoutMs' | 'installTimeoutMs' | 'isolation' | 'policy' | 'source' | 'env' | 'redact' | 'signal'
  > {
  /** Files and folders that it may not change, absolute. */
  guarded?: readonly string[];
  /** Told the server's notifications, but for progress. */
  onnotification: NonNullable<SessionOptions['onnotification']>;
}

/** A way to begin a session. */
export type Begin = (session: Session) => Promise<Handshake | Refusal>;

/** A session that has begun. */
export interface Begun {
  session: Session;
  handshake: Handshake;
  deadline: CallDeadline;
}

/** Opens a channel and begins a session that lasts. It is closed again when the server refuses, and when this throws. */
export async function beginSession(
  channel: Channel,
  how: Begin,
  options: ConnectOptions,
): Promise<Begun | Refusal> {
  const deadline = new CallDeadline(limitOf(options));
  const { onnotification } = options;
  const session = new Session(channel, deadline, undefined, { lasting: true, onnotification });
  let keep = false;
  try {
    return await deadline.run(async () => {
      await session.open();
      const handshake = await how(session);
      if ('refused' in handshake) return handshake;
      keep = true;
      return { session, handshake, deadline };
    });
  } finally {
    if (!keep) await session.close();
  }
}

/** Milliseconds for what is asked outside of a call. */
export function limitOf(options: ConnectOptions): number {
  return options.policy.timeout === undefined ? options.timeoutMs : options.policy.timeout * 1000;
}
