/** Milliseconds after which the lease of a job ends unless it is renewed. */
export const LEASE_MS = 15_000;
/** Milliseconds between renewals of a lease. */
export const HEARTBEAT_MS = LEASE_MS / 3;
/** A job whose lease was not renewed for so many milliseconds is aborted: shortly after, another node may claim it. */
export const EXPIRED_MS = LEASE_MS - 2_000;
