import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from './people.ts'
import { keepSignedIn } from '../platform.ts'
import { Program } from './program.ts'
import { startTestApp, type TestApp } from '../start-test-app.ts'

export interface ProgramSetup {
  app: TestApp
  owner: OwnedApp
  /** Started, not signed in. */
  program: Program
  /** An unused license. */
  key: string
  /** Makes a call of the owner by its name in part 1 of the specification. */
  asOwner(call: string, body: object): ReturnType<OwnedApp['visitor']['send']>
}

/** One app for all tests of a file; before each test, a new license and a new program of the app. */
export function setUpProgram(): ProgramSetup {
  const setup: Partial<ProgramSetup> = {
    asOwner: (call, body) => owner.visitor.send('POST', `/api/1.0/website/${call}`, { body }),
  }
  let app: TestApp
  let owner: OwnedApp
  beforeAll(async () => {
    app = await startTestApp()
    owner = await newOwnerWithApp(app)
    await keepSignedIn(app, owner)
    Object.assign(setup, { app, owner })
  })
  beforeEach(async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const program = await Program.of(app, owner)
    await program.init()
    Object.assign(setup, { program, key })
  })
  afterAll(() => app.close())
  return setup as ProgramSetup
}
