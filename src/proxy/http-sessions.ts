import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AgentSession, type GatewayOrError } from './agent-session.ts';
import type { EventReply } from './event-reply.ts';

/** Sessions at once; the one that was used least recently makes room. */
const MAX_SESSIONS = 200;

/** A client's session, and its stream of news. */
export class HttpSession {
  readonly session: AgentSession;
  private stream: EventReply | undefined;

  constructor(started: Promise<GatewayOrError>) {
    this.session = new AgentSession(started, (message) => this.stream?.notify(message));
  }

  /** A further stream takes the place of the first. */
  openStream(stream: EventReply, response: ServerResponse): void {
    this.stream?.end();
    this.stream = stream;
    response.on('close', () => {
      if (this.stream === stream) this.stream = undefined;
    });
  }

  end(): void {
    this.session.end();
    this.stream?.end();
  }
}

/** The sessions of all clients, by an id that only its client knows. */
export class HttpSessions {
  private readonly started: Promise<GatewayOrError>;
  private readonly sessions = new Map<string, HttpSession>();

  constructor(started: Promise<GatewayOrError>) {
    this.started = started;
  }

  begin(): { id: string; session: AgentSession } {
    const [oldest] = this.sessions.keys();
    if (this.sessions.size >= MAX_SESSIONS && oldest !== undefined) this.end(oldest);
    const id = randomBytes(24).toString('base64url');
    const made = new HttpSession(this.started);
    this.sessions.set(id, made);
    return { id, session: made.session };
  }

  get(id: string | string[] | undefined): HttpSession | undefined {
    const found = typeof id === 'string' ? this.sessions.get(id) : undefined;
    if (found !== undefined && typeof id === 'string') {
      this.sessions.delete(id);
      this.sessions.set(id, found);
    }
    return found;
  }

  end(id: string): void {
    this.sessions.get(id)?.end();
    this.sessions.delete(id);
  }

  endAll(): void {
    for (const id of [...this.sessions.keys()]) this.end(id);
  }
}
