import { t } from '@lingui/core/macro'
import type { App } from '#web/session.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Section } from '#web/ui/section.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** The program's two public keys (DESIGN §5). Nobody edits them; the server makes them with the app. */
export function KeysSection({ app }: { app: App }) {
  const { clientObfuscationKey, serverObfuscationKey } = app.settings
  return (
    <Section title={t`Security Keys`} description={t`Public keys, not secrets: safe to ship inside your program.`}>
      <TextField
        layout="row"
        mono
        readOnly
        label={t`Client obfuscation key`}
        help={t`Seals what the program sends`}
        value={clientObfuscationKey}
        suffix={<CopyButton text={clientObfuscationKey} label={t`Copy client obfuscation key`} />}
      />
      <TextField
        layout="row"
        mono
        readOnly
        label={t`Server obfuscation key`}
        help={t`Checks what the server answers`}
        value={serverObfuscationKey}
        suffix={<CopyButton text={serverObfuscationKey} label={t`Copy server obfuscation key`} />}
      />
    </Section>
  )
}
