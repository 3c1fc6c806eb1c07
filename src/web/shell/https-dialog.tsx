import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'

const caddyfile = `your.host {
  reverse_proxy 127.0.0.1:8080
}`

const proxySettings = `PUBLIC_URL=https://your.host
TRUSTED_PROXIES=127.0.0.1`

const tlsSettings = `TLS_CERT_FILE=/etc/signet/fullchain.pem
TLS_KEY_FILE=/etc/signet/privkey.pem
PUBLIC_URL=https://your.host:8080`

/** Sections of docs/operate/behind-a-proxy.md with details, summarized. */
export const HttpsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title={t`Set up HTTPS`}
    description={
      <Trans>
        Choose one of the two ways, then restart the server. The page{' '}
        <code className="machine">docs/operate/behind-a-proxy.md</code> has the details of both.
      </Trans>
    }
    onClose={onClose}
    footer={<Button variant="primary" onClick={onClose}>{t`Done`}</Button>}
  >
    <Way title={t`Behind a proxy`} text={t`The proxy holds the certificate. Caddy gets and renews one automatically:`}>
      <CodeBlock label="Caddyfile" text={caddyfile} />
      <CodeBlock label={t`Settings behind a proxy`} text={proxySettings} />
    </Way>
    <Way title={t`TLS without a proxy`} text={t`Signet serves HTTPS with your certificate:`}>
      <CodeBlock label={t`Settings for TLS without a proxy`} text={tlsSettings} />
    </Way>
  </Dialog>
)

const Way = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <section className="mb-5 grid gap-2.5">
    <h3 data-section className="text-ui font-semibold">
      {title}
    </h3>
    <p className="text-ui text-text-2">{text}</p>
    {children}
  </section>
)
