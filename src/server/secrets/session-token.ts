import { createHash, randomBytes } from 'node:crypto'

export const newSessionToken = (): string => randomBytes(32).toString('base64url')

/** Sessions are stored by this hash only. */
export const sessionHash = (token: string): string => createHash('sha256').update(token).digest('base64url')
