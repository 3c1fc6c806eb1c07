export const downloadsErrors = {
  DOWNLOAD_NOT_FOUND: { status: 404, message: 'Download not found' },
  DOWNLOAD_FILE_REQUIRED: { status: 400, message: 'Please select a file' },
  DOWNLOAD_NAME_REQUIRED: { status: 400, message: 'Please enter a name' },
  DOWNLOAD_NAME_TOO_LONG: {
    status: 400,
    message: 'The name can have at most {max, plural, one {# character} other {# characters}}',
  },
  DOWNLOAD_NAME_INVALID: { status: 400, message: 'The name can only contain visible characters' },
  DOWNLOAD_NAME_TAKEN: { status: 409, message: 'A file with this name already exists' },
  DOWNLOAD_DESCRIPTION_TOO_LONG: {
    status: 400,
    message: 'The description can have at most {max, plural, one {# character} other {# characters}}',
  },
  DOWNLOAD_LIMIT_REACHED: {
    status: 409,
    message: 'An app can have at most {limit, plural, one {# file} other {# files}}',
  },
  FILE_TOO_LARGE: { status: 413, message: 'A file can have at most {maxMb} MB' },
  STORAGE_LIMIT_REACHED: {
    status: 403,
    message: 'Your plan allows {limitMb} MB of files. Delete some or change your plan.',
  },
  FILE_INFECTED: { status: 422, message: 'This file is not stored: the virus scan found {virus} in it' },
  FILES_UNAVAILABLE: { status: 503, message: "The files can't be reached right now. Please try again later." },
  STORAGE_FULL: { status: 507, message: 'The server has no space left for this file' },
  DOWNLOAD_AUTH_REQUIRED: { status: 401, message: 'Only a program that is signed in can download this file' },
} as const
