import { day, passTime, timeLeft, userPassword } from './end-users.ts'
import { newLicenses } from './people.ts'
import { Program } from './program.ts'
import type { ProgramSetup } from './program-setup.ts'

/** A user to whom two licenses have given time on the same level. */
interface Customer {
  name: string
  /** Of 30 days each, in the order of their redemption. */
  first: string
  second: string
}

let made = 0

/** What tests do with such users and their licenses. */
export function customersOf(given: ProgramSetup) {
  const redeem = async (name: string, licenseKey: string): Promise<Record<string, unknown>> => {
    const program = await Program.of(given.app, given.owner)
    await program.init()
    return (await program.send('login', { username: name, password: userPassword, hwid: program.hwid, licenseKey }))
      .body
  }
  /** A call of the owner; returns the reply. */
  const call = async (name: string, body: object) =>
    (await given.asOwner(name, body)).body as { success: boolean; code?: string; undoId?: string }
  return {
    redeem,
    call,
    /** A user who has redeemed a license and, `days` later, another one. */
    newCustomer: async (days = 0): Promise<Customer> => {
      const [first = '', second = ''] = await newLicenses(given.owner, 2)
      const name = `customer-${++made}`
      const program = await Program.of(given.app, given.owner)
      await program.init()
      await program.register(name, userPassword, first)
      if (days > 0) await passTime(given.app, given.owner, days * day)
      await redeem(name, second)
      return { name, first, second }
    },
    daysLeft: async (name: string, level = 1): Promise<number | null | undefined> => {
      const left = await timeLeft(given.owner, name, level)
      return typeof left === 'number' ? Math.round(left / day) : left
    },
    toggleBan: (licenseKey: string) => call('toggle_ban_license', { licenseKey }),
    /** Deletes a license; returns what restores it. */
    remove: async (licenseKey: string): Promise<string> =>
      String((await call('delete_license', { licenseKey })).undoId),
    restore: (undoId: string) => given.owner.visitor.call('POST /bin/restore', { body: { undoId } }),
  }
}
