import { Client, type ClientOptions } from '#sdk/client.ts'
import type { OwnedApp } from './people.ts'
import type { TestApp } from '../start-test-app.ts'

/** The client options an owner copies from the app's settings. */
export async function clientOptions(
  app: Pick<TestApp, 'url'>,
  owner: Pick<OwnedApp, 'id' | 'appId' | 'appName' | 'visitor'>,
): Promise<ClientOptions> {
  const { body } = await owner.visitor.call('GET /apps')
  const own = body.apps.find(({ appId }) => appId === owner.appId)
  if (!own) throw new Error('The owner has no such app')
  const { clientObfuscationKey, serverObfuscationKey } = own.settings
  return {
    ownerId: owner.id,
    appName: owner.appName,
    version: '1.0.0',
    serverUrl: app.url,
    verificationKey: serverObfuscationKey,
    sealingKey: clientObfuscationKey,
    hwid: 'a-machine-of-the-test',
  }
}

/** The TypeScript client for an owner's app, with the server's clock and without background heartbeats. */
export async function sdkClient(app: TestApp, owner: OwnedApp, changes: Partial<ClientOptions> = {}): Promise<Client> {
  const clock = () => app.services.clock()
  return new Client({ ...(await clientOptions(app, owner)), clock, heartbeatSeconds: null, ...changes })
}
