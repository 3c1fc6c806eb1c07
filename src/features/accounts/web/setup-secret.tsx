import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface SetupSecretProps {
  /** `undefined` while loading. */
  setup: { secret: string; otpauthUrl: string } | undefined
}

/** The secret for an authenticator app: to scan, to type or, on a phone, to open. */
export function SetupSecret({ setup }: SetupSecretProps) {
  return (
    <div className="flex flex-col items-center gap-3">
      {setup ? (
        <QrCode text={setup.otpauthUrl} label={t`QR code of the secret`} />
      ) : (
        <Skeleton className="size-44 rounded-md" />
      )}
      <div className="text-center">
        <p className="text-meta text-text-2">{t`Or type this secret into the app`}</p>
        <div className="mt-1 flex min-h-8 items-center justify-center gap-2">
          {setup ? <GroupedSecret secret={setup.secret} /> : <Skeleton className="h-3 w-72" />}
          <CopyButton text={setup?.secret ?? ''} label={t`Copy secret`} />
        </div>
      </div>
      <p className="hidden min-h-11 content-center text-ui pointer-coarse:block">
        {setup && (
          <a
            className="text-accent-text underline underline-offset-2"
            href={setup.otpauthUrl}
          >{t`Open in an authenticator on this device`}</a>
        )}
      </p>
    </div>
  )
}

/** Displayed in groups of four; the copied text has no gaps. */
function GroupedSecret({ secret }: { secret: string }) {
  const groups = secret.match(/.{1,4}/g) ?? []
  return (
    <code translate="no" aria-label={t`Secret`} role="group" className="machine">
      {groups.map((group, index) => (
        <span key={index} className="mx-0.75 inline-block">
          {group}
        </span>
      ))}
    </code>
  )
}

/** Quiet zone around the code, which cameras need to detect it. */
const quietModules = 4

/** One SVG path for all dark modules, one segment per run. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const runs = rows.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '#' : '.')).join('')
    return [...line.matchAll(/#+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
  })
  return runs.join('')
}

/** Dark on white in all themes, as cameras expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: quietModules }), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-md"
    >
      <rect width={size} height={size} fill="white" />
      <path d={pathOf(data)} fill="black" />
    </svg>
  )
}
