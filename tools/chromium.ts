import { existsSync } from 'node:fs'

/** Debian's headless Chromium, which needs half the work of the full browser for the same pages. */
export const headlessPackage = 'chromium-headless-shell'

const places = [
  `/usr/bin/${headlessPackage}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The system's Chromium, if installed; otherwise, Playwright's own is used. */
export const systemChromium: string | undefined = places.find((place) => existsSync(place))

/** Launch options of tests and measurements: no requests except to our server. */
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
    // For the browser, this is a network host, which without TLS is not a secure context.
    '--host-resolver-rules=MAP signet.test 127.0.0.1',
  ],
}
