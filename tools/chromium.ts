import { existsSync } from 'node:fs'

/** Debian's package of a Chromium without a window: half the work of the whole browser for the same pages. */
export const headlessPackage = 'chromium-headless-shell'

const places = [
  `/usr/bin/${headlessPackage}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The system's Chromium, where there is one; otherwise Playwright's own is used. */
export const systemChromium: string | undefined = places.find((place) => existsSync(place))

/** How the tests and the measurements start it: it talks to nobody but us. */
export const chromiumLaunch = {
  ...(systemChromium && { executablePath: systemChromium }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // To the browser this is a host of the network, which without TLS is no secure context.
    '--host-resolver-rules=MAP signet.test 127.0.0.1',
  ],
}
