import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename, extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, textOf, type Values } from './command.ts'
import { Failure, usage } from './failures.ts'
import type { Output } from './output.ts'
import { part, type Reply, type SellerApi } from './seller-api.ts'
import { isLocal, publicUrlOf } from './server-info.ts'
import type { Settings } from './setting-commands.ts'
import { timeoutMs } from './new-api.ts'

interface StoredFile {
  downloadId: string
  name: string
  fileSize: number
  sha256: string
  active: boolean
  completed: boolean
  pending: boolean
}

interface FileReply extends Reply {
  download: StoredFile
}

const scanPauseMs = 3000

const codeOf = (error: unknown): string | undefined => (error instanceof Failure ? error.code : undefined)

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  } catch (error) {
    throw usage(`${file} can't be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return hash.digest('hex')
}

/** The file of an earlier run; undefined if there is none, or if the key may not look. */
async function find(api: SellerApi, name: string): Promise<StoredFile | undefined> {
  try {
    return (await api.get<FileReply>(`/downloads/file/${part(name)}`)).download
  } catch (error) {
    if (codeOf(error) === 'DOWNLOAD_NOT_FOUND' || codeOf(error) === 'SCOPE_MISSING') return undefined
    throw error
  }
}

async function upload(api: SellerApi, file: string, { name, sha256 }: { name: string; sha256: string }) {
  const form = new FormData()
  form.append('name', name)
  // The bytes are read while they are sent.
  form.append('file', await openAsBlob(file), basename(file))
  try {
    const { download } = await api.upload<FileReply>('/downloads/upload', form)
    if (download.sha256 === sha256) return download
  } catch (error) {
    if (codeOf(error) !== 'DOWNLOAD_NAME_TAKEN') throw error
    throw new Failure(
      'rejected',
      `A file ${name} exists (DOWNLOAD_NAME_TAKEN). With the permission downloads:read, the command checks whether it is this one`,
      (error as Failure).reply,
    )
  }
  throw new Failure(
    'rejected',
    `${file} changed while it was uploaded. Delete ${name} in the dashboard and run it again`,
  )
}

/** The stored file with exactly these bytes, from an earlier run or uploaded now. */
async function stored(api: SellerApi, file: string, wanted: { name: string; sha256: string }) {
  const { name, sha256 } = wanted
  const found = await find(api, name)
  if (!found) return { download: await upload(api, file, wanted), isNew: true }
  if (found.sha256 !== sha256)
    throw new Failure(
      'rejected',
      `A file ${name} with other bytes exists. Choose another --version or --name, or delete it`,
    )
  if (!found.active) throw new Failure('rejected', `The file ${name} is disabled. Enable it in the dashboard first`)
  if (found.completed) return { download: found, isNew: false }
  const { download } = await api.put<FileReply>(`/downloads/file/${found.downloadId}`, { complete: true })
  return { download, isNew: false }
}

/** Programs are only sent to a file that they get. */
async function scanned(api: SellerApi, first: StoredFile, output: Output, waitMs: number): Promise<StoredFile> {
  const deadline = Date.now() + waitMs
  let download = first
  while (download.pending) {
    if (Date.now() + scanPauseMs > deadline)
      throw new Failure(
        'unavailable',
        `${download.name} still waits for its virus scan, and no setting was changed. Run it again later`,
      )
    output.note('Waiting for the virus scan')
    await sleep(scanPauseMs)
    download = (await api.get<FileReply>(`/downloads/file/${download.downloadId}`)).download
  }
  return download
}

function nameOf(file: string, version: string): string {
  const base = basename(file)
  return `${base.slice(0, base.length - extname(base).length)}-${version}`
}

async function hashSettings(values: Values, sha256: string): Promise<Settings> {
  const other = textOf(values, 'hash-of')
  if (values['no-hash'] && (values['hash'] || other !== undefined)) throw usage('Choose --no-hash or a hash')
  if (values['no-hash']) return {}
  const hashToCheck = other === undefined ? sha256 : await sha256Of(other)
  return { hashToCheck, ...(values['hash'] && { hashCheck: true }) }
}

export const releaseCommand: Command = {
  name: 'release',
  args: ['FILE'],
  summary: 'Upload a file and make it the version that may start',
  options: [
    { name: 'version', value: 'VERSION', summary: 'Required, such as 2.4.0' },
    { name: 'name', value: 'NAME', summary: "The name among the app's files; default: the file's with the version" },
    { name: 'link', value: 'URL', summary: 'The update link; default: the address of the uploaded file' },
    { name: 'hash', summary: 'Also turn the check of program hashes on' },
    { name: 'hash-of', value: 'FILE', summary: 'The program in an installer, whose hash is checked instead' },
    { name: 'no-hash', summary: 'Leave the program hash as it is' },
    { name: 'no-upload', summary: 'Only change the settings' },
  ],
  more: `Uploads the file, then sets version, program hash, and update link together. Until then, nothing changes for
programs. After a failure, run it again: a file that is already there with the same bytes is not uploaded twice.
Needs the permissions downloads:write, downloads:read, and settings:write.`,
  async run({ args: [file = ''], values, output, api }) {
    const version = textOf(values, 'version')
    if (!version) throw usage('--version is missing')
    const link = textOf(values, 'link')
    const server = api()
    const sha256 = await sha256Of(file)
    const hash = await hashSettings(values, sha256)
    const name = textOf(values, 'name') ?? nameOf(file, version)
    output.note(`SHA-256   ${sha256}`)
    let download: StoredFile | undefined
    let isNew = false
    if (!values['no-upload']) {
      ;({ download, isNew } = await stored(server, file, { name, sha256 }))
      output.note(isNew ? `Uploaded  ${name}, ${download.fileSize} bytes` : `Found     ${name} with the same bytes`)
      download = await scanned(server, download, output, timeoutMs(values))
    }
    const updateLink = link ?? (download && `${await publicUrlOf(server.url)}/api/1.0/download/${download.downloadId}`)
    if (updateLink !== undefined && URL.canParse(updateLink) && isLocal(updateLink))
      output.problem('Only this machine can open the update link. Set PUBLIC_URL of the server, or use --link')
    const changes = { version, ...hash, ...(updateLink !== undefined && { autoUpdateDownloadLink: updateLink }) }
    const { settings } = await server.put<{ settings: Settings }>('/settings', changes).catch((error: unknown) => {
      if (download) output.problem('The file is uploaded, and no setting was changed. Run it again to continue')
      throw error
    })
    if (output.isJson)
      return output.json({ success: true, sha256, download: download ?? null, uploaded: isNew, settings })
    output.note(`Hash      ${hash['hashToCheck'] ?? 'as before'}, check ${settings['hashCheck'] ? 'on' : 'off'}`)
    output.note(`Link      ${settings['autoUpdateDownloadLink'] || 'none'}`)
    output.line(`Released ${version}`)
  },
}
