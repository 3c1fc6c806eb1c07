import { hasInvisible } from '#contract/visible-text.ts'

/** Every mail that this server sends, by code. English: an account stores no language. */

export interface MailText {
  subject: string
  /** Before the link, if there is one. */
  lines: readonly string[]
  link?: string
  /** After it. */
  closing?: readonly string[]
}

/** What every mail may say of the server it comes from. */
export interface MailPlatform {
  name: string
  url: string
}

const notYou = 'If that was you, there is nothing to do. If not, set a new password at once.'
const ignore = 'If you did not ask for this, ignore this mail: nothing changes.'
const forMinutes = (minutes: number) => `The link works once, and for ${minutes} minutes.`

/** Names are chosen by people: one that a mail program would turn into a link is left out. */
const called = (name: string): string => (/^[\p{L}\p{M}\p{N}_ -]{1,64}$/u.test(name) && !hasInvisible(name) ? name : '')

const yourAccount = (username: string): string =>
  called(username) ? `your account ${called(username)}` : 'your account'
const ofApp = (app: string): string => (called(app) ? ` for ${called(app)}` : '')

export const mailTexts = {
  test: (_: object, { name }: MailPlatform): MailText => ({
    subject: `Test mail of ${name}`,
    lines: ['This mail was sent to try the mail settings. They work.'],
  }),
  'password-reset': (
    { username, link, minutes }: { username: string; link: string; minutes: number },
    { name }: MailPlatform,
  ): MailText => ({
    subject: `Set a new password for ${name}`,
    lines: [`Somebody asked for a new password for ${yourAccount(username)} at ${name}. This link sets it:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'user-password-reset': ({
    app,
    username,
    link,
    minutes,
  }: {
    app: string
    username: string
    link: string
    minutes: number
  }): MailText => ({
    subject: `Set a new password${ofApp(app)}`,
    lines: [`Somebody asked for a new password for ${yourAccount(username)}${ofApp(app)}. This link sets it:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'password-changed': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Your password for ${name} was changed`,
    lines: [
      `The password of ${yourAccount(username)} at ${name} was changed, and every session of it has ended.`,
      notYou,
    ],
  }),
  'email-changed': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Your email address at ${name} was changed`,
    lines: [
      `Mail about ${yourAccount(username)} at ${name} goes to another address from now on; this is the last one here.`,
      'If that was not you, sign in, change the address back and set a new password; if you can not, ask an administrator.',
    ],
  }),
  'two-factor-on': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Two-factor authentication is on at ${name}`,
    lines: [
      `Signing in to ${yourAccount(username)} at ${name} takes a code of an authenticator app from now on.`,
      notYou,
    ],
  }),
  'two-factor-off': ({ username }: { username: string }, { name }: MailPlatform): MailText => ({
    subject: `Two-factor authentication is off at ${name}`,
    lines: [`Signing in to ${yourAccount(username)} at ${name} takes the password alone from now on.`, notYou],
  }),
  'new-sign-in': (
    { username, time, ip, browser }: { username: string; time: string; ip: string; browser: string },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `New sign-in at ${name}`,
    lines: [
      `Somebody signed in to ${yourAccount(username)} at ${name} on a device that had not signed in before.`,
      `When: ${time}`,
      `Where from: ${ip}`,
      `Browser: ${browser}`,
      'If that was you, there is nothing to do. If not, set a new password; your sessions are listed here:',
    ],
    link: `${url}/profile`,
  }),
  'plan-ending': (
    { username, plan, time, days }: { username: string; plan: string; time: string; days: number },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `Your plan ${plan} at ${name} ends ${days === 1 ? 'tomorrow' : `in ${days} days`}`,
    lines: [
      `The plan ${plan} of ${yourAccount(username)} ends on ${time}. After that the limits of the Free plan apply: nothing is deleted, but nothing can be added above them.`,
      'What you use and what the plans offer:',
    ],
    link: `${url}/profile`,
  }),
  'plan-ended': (
    { username, plan, time }: { username: string; plan: string; time: string },
    { name, url }: MailPlatform,
  ): MailText => ({
    subject: `Your plan ${plan} at ${name} has ended`,
    lines: [
      `The plan ${plan} of ${yourAccount(username)} ended on ${time}. The limits of the Free plan apply now: nothing was deleted, but nothing can be added above them.`,
      'What you use and what the plans offer:',
    ],
    link: `${url}/profile`,
  }),
  'webhook-stopped': (
    { app, host, reason }: { app: string; host: string; reason: 'gone' | 'failing' },
    { url }: MailPlatform,
  ): MailText => ({
    subject: `A webhook${ofApp(app)} was stopped`,
    lines: [
      reason === 'gone'
        ? `The webhook to ${host}${ofApp(app)} answered that it wants nothing more (410 Gone), so it gets nothing more.`
        : `The webhook to ${host}${ofApp(app)} has failed for five days without a single success, so it gets nothing more.`,
      'What came of each delivery is listed here; set it right there, and deliveries go on:',
    ],
    link: `${url}/webhooks`,
  }),
}

export type MailCode = keyof typeof mailTexts
export type MailValues<C extends MailCode> = Parameters<(typeof mailTexts)[C]>[0]

/** A time as a mail says it, in the zone that the account has chosen. `at` in epoch seconds. */
export const mailTime = (at: number, timeZone: string | null): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  }).format(at * 1000)
