import { Type } from 'typebox'
import { UndoIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall, defineCall } from '#contract/define-call.ts'
import { appFields, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { downloadsErrors } from './downloads.errors.ts'
import { maxDescriptionLength, maxDownloadNameLength } from './downloads.rules.ts'

/** Files that an owner ships to programs. */

const DownloadReply = Type.Object({
  _id: Type.String(),
  downloadId: Type.String(),
  name: Type.String(),
  description: Type.String(),
  fileName: Type.String(),
  fileSize: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String({ description: 'Hexadecimal' }),
  downloadCount: Type.Integer(),
  authenticated: Type.Boolean({ description: 'Whether only signed-in programs may download the file' }),
  active: Type.Boolean(),
  pending: Type.Boolean({ description: 'Waiting for the virus scan; not available for download yet' }),
  completed: Type.Boolean({
    description:
      'False until the owner completes the upload. The file is not available until then, and is deleted after a day',
  }),
  createdAt: EpochSeconds,
})

const IpFile = Type.Union([Type.Literal('absent'), Type.Literal('present'), Type.Literal('outdated')])

// Much longer than allowed, so that the rule reports the error instead of the schema.
const name = Text(maxDownloadNameLength * 10)
const description = Text(maxDescriptionLength * 10)
const named = strict({ name: Type.String({ maxLength: 1000, description: 'Name of the file, or its downloadId' }) })

export const downloadsContract = {
  listDownloads: appCall('GET /downloads', {
    summary: "List the files of an app, newest first, with their totals and the remaining quota of the owner's plan.",
    query: strict({ ...appFields }),
    reply: reply({
      downloads: Type.Array(DownloadReply),
      stats: Type.Object({
        total_files: Type.Integer(),
        total_download_count: Type.Integer(),
        total_storage_mb: Type.Number(),
        public_count: Type.Integer(),
        authenticated_count: Type.Integer(),
      }),
      quota: Type.Object({
        storageBytes: Type.Integer({
          description: 'Storage of the plan in bytes, for all apps of the owner; -1 for unlimited',
        }),
        usedBytes: Type.Integer(),
        deletedBytes: Type.Integer({
          description:
            'Bytes of the deleted files of all apps of the owner that can still be restored. Beyond `storageBytes`, the oldest are deleted for good.',
        }),
        maxFileBytes: Type.Integer(),
      }),
    }),
  }),
  uploadDownload: appCall('POST /downloads/upload', {
    upload: true,
    planFeature: 'file_upload',
    summary:
      'Upload a file. `name` defaults to the name of the file. With `complete: false`, the file is not available until `PUT /downloads/file/{name}` sends `complete: true`. The app is named in the header `X-App-Id`; the default is the selected app.',
    body: strict({
      ...appFields,
      name: Type.Optional(name),
      description: Type.Optional(description),
      authenticated: Type.Optional(Type.Boolean({ description: 'Default: false' })),
      complete: Type.Optional(Type.Boolean({ description: 'Default: true' })),
    }),
    reply: reply({ download: DownloadReply }),
    successes: {
      DOWNLOAD_UPLOAD_OK: 'File uploaded successfully',
      DOWNLOAD_UPLOAD_PENDING: 'File uploaded. It can be downloaded after the virus scan.',
    },
    errors: downloadsErrors,
    failure: 'Upload failed',
  }),
  updateDownload: appCall('PUT /downloads/file/{name}', {
    summary: 'Update the name, description or access of a file. `complete: true` completes its upload.',
    params: named,
    body: strict({
      ...appFields,
      name: Type.Optional(name),
      description: Type.Optional(description),
      authenticated: Type.Optional(Type.Boolean()),
      complete: Type.Optional(Type.Literal(true)),
      before: Type.Optional(
        strict({
          name: Type.Optional(Type.String()),
          description: Type.Optional(Type.String()),
          authenticated: Type.Optional(Type.Boolean()),
        }),
      ),
    }),
    reply: reply({ download: DownloadReply }),
    successes: { DOWNLOAD_UPDATE_OK: 'Download updated successfully' },
    errors: downloadsErrors,
  }),
  deleteDownload: appCall('DELETE /downloads/file/{name}', {
    summary:
      'Delete a file. Its link stops working. It can be restored for 30 days, or until newer deleted files need the storage. An upload that was never completed is deleted for good.',
    params: named,
    body: strict({ ...appFields }),
    reply: reply({ undoId: UndoIdReply }),
    successes: { DOWNLOAD_DELETE_OK: 'Download deleted successfully' },
    errors: downloadsErrors,
    failure: 'Failed to delete download',
  }),
  toggleDownload: appCall('POST /downloads/file/{name}/toggle', {
    summary: 'Enable or disable a file. `active` sets the state; without it, the state is toggled.',
    params: named,
    body: strict({ ...appFields, active: Type.Optional(Type.Boolean()) }),
    reply: reply({ active: Type.Boolean() }),
    successes: {
      DOWNLOAD_ENABLE_OK: 'Download enabled successfully',
      DOWNLOAD_DISABLE_OK: 'Download disabled successfully',
    },
    errors: downloadsErrors,
    failure: 'Failed to toggle download status',
  }),
  downloadStatistics: appCall('GET /downloads/file/{name}/stats', {
    summary:
      'Get the download statistics of a file: all-time totals, and the IP addresses and countries of the last 90 days.',
    params: named,
    query: strict({ ...appFields }),
    reply: reply({
      stats: Type.Object({
        total_downloads: Type.Integer(),
        authenticated_downloads: Type.Integer(),
        anonymous_downloads: Type.Integer(),
        unique_ips: Type.Integer(),
        countries: Type.Record(Type.String(), Type.Integer(), {
          description: 'Country code, ISO 3166-1 alpha-2; empty if unknown',
        }),
      }),
      countryData: IpFile,
    }),
    errors: downloadsErrors,
  }),
  downloadInfo: defineCall('GET /download/{id}/info', {
    area: 'public',
    access: 'anyone',
    summary: 'Get the metadata of a file.',
    params: strict({ id: Type.String({ maxLength: 100 }) }),
    reply: reply({
      name: Type.String(),
      description: Type.String(),
      fileName: Type.String(),
      fileSize: Type.Integer({ description: 'In bytes' }),
      sha256: Type.String({ description: 'Hexadecimal' }),
      authenticated: Type.Boolean(),
      createdAt: EpochSeconds,
    }),
    errors: downloadsErrors,
  }),
  getDownload: defineCall('GET /download/{id}', {
    area: 'public',
    access: 'anyone',
    file: true,
    summary:
      'Download a file or a byte range of it. If the file requires a signed-in program, `ticket` is the value returned by the client call `download`.',
    params: strict({ id: Type.String({ maxLength: 100 }) }),
    query: strict({ ticket: Type.Optional(Text(500)) }),
    reply: Type.Unsafe<string>(Type.String({ format: 'binary' })),
    errors: downloadsErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof downloadsContract> {}
  interface Codes extends CodesOf<typeof downloadsContract> {}
}
