import { t } from '@lingui/core/macro'
import type { SecondFactorInput } from './use-second-factor.ts'
import { TextField } from './text-field.tsx'

interface SecondFactorFieldProps {
  factor: SecondFactorInput
  autoFocus?: boolean
  /** There are no recovery codes yet. */
  appOnly?: boolean
}

/** Input for a code of the authenticator app, which can be switched to a recovery code. */
export function SecondFactorField({ factor, autoFocus, appOnly = false }: SecondFactorFieldProps) {
  const { setInput, isRecovery, text, isMissing, set, switchKind } = factor
  const texts = isRecovery
    ? {
        label: t`Recovery code`,
        help: t`One of the codes you saved. Each works once.`,
        missing: t`Enter a recovery code`,
      }
    : {
        label: t`Two-factor code`,
        help: t`Six digits, from your authenticator app.`,
        missing: t`Enter the six digits of the code`,
      }
  return (
    <div className="flex flex-col items-start gap-1.5">
      <TextField
        ref={setInput}
        className="w-full"
        label={texts.label}
        help={texts.help}
        error={isMissing ? texts.missing : undefined}
        mono
        required
        autoFocus={autoFocus}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        value={text}
        onChange={(event) => set(event.target.value)}
      />
      {!appOnly && (
        <button
          type="button"
          onClick={switchKind}
          className="rounded-sm text-ui text-text-2 underline underline-offset-2 hover:text-text pointer-coarse:min-h-11"
        >
          {isRecovery ? t`Use the authenticator app` : t`Use a recovery code`}
        </button>
      )}
    </div>
  )
}
