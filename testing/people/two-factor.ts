import { stepAt, totpCode } from '#server/auth/totp.ts'
import { notTexts } from '../faults/hostile-input.ts'
import { newOwner, type Owner } from './people.ts'
import { setPlatform } from '../platform.ts'
import type { TestApp } from '../start-test-app.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** An authenticator app. */
export class Authenticator {
  readonly #app: TestApp
  readonly #secret: Buffer

  constructor(app: TestApp, secret: string) {
    this.#app = app
    this.#secret = bytesOf(secret)
  }

  /** The current code, or the code a number of 30-second steps from now. */
  code(stepsFromNow = 0): string {
    return totpCode(this.#secret, stepAt(this.#app.now()) + stepsFromNow)
  }

  /** A code that is not valid for a while. */
  wrongCode(): string {
    const near = new Set([-2, -1, 0, 1, 2].map((step) => this.code(step)))
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) as string
  }
}

export interface SecondFactor {
  authenticator: Authenticator
  recoveryCodes: string[]
}

/** An owner with two-factor authentication, which is turned on for the platform. */
export async function newOwnerWithTwoFactor(app: TestApp): Promise<Owner & SecondFactor> {
  await setPlatform(app, 'security', { enable2FA: true })
  const owner = await newOwner(app)
  return { ...owner, ...(await turnOnTwoFactor(app, owner)) }
}

/** Hostile values for credentials. */
export const hostileCredentials = {
  password: [...notTexts, '', 'x'.repeat(1025)],
  code: [...notTexts, '', '1'.repeat(65)],
}

/** Turns on two-factor authentication; the clock is then at a step whose code has not been used. */
export async function turnOnTwoFactor(
  app: TestApp,
  { visitor }: Pick<Owner, 'visitor'>,
  profile: '/profile' | '/reseller/profile' = '/profile',
): Promise<SecondFactor> {
  const { body, status } = await visitor.call(`POST ${profile}/two-factor/start`)
  if (status !== 200) throw new Error(`Could not start two-factor authentication: ${body.message}`)
  const authenticator = new Authenticator(app, body.secret)
  const code = authenticator.code()
  const confirmed = await visitor.call(`POST ${profile}/two-factor/confirm`, { body: { code } })
  if (confirmed.status !== 200)
    throw new Error(`Could not confirm two-factor authentication: ${confirmed.body.message}`)
  app.advance(30)
  return { authenticator, recoveryCodes: confirmed.body.recoveryCodes }
}

/** The same for a reseller; turns it on for the platform. */
export async function turnOnResellerTwoFactor(app: TestApp, reseller: Pick<Owner, 'visitor'>): Promise<SecondFactor> {
  await setPlatform(app, 'security', { enable2FA: true })
  return turnOnTwoFactor(app, reseller, '/reseller/profile')
}
