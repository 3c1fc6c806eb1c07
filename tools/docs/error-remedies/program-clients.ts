import type { ProgramRemedies } from './program-calls.ts'

const calls = [] as const

/** Codes that a client raises by itself. None of them says anything about the license. */
export const programClients = {
  NETWORK: {
    calls,
    cause:
      'The client got no complete answer: there is no connection, the name of the server does not resolve, the certificate is not trusted, or the answer took too long or was too large.',
    remedy:
      'The customer checks the internet connection, the firewall, and the antivirus. If nobody reaches the server, its operator checks that it runs and that its certificate is valid. A signed-in program goes on for its grace period.',
  },
  UNSIGNED_RESPONSE: {
    calls,
    cause:
      'The answer has no signature, so the client does not believe it. A proxy or a login page answered instead of the server, or the server could not sign: for an unknown app (`APP_NOT_FOUND`), a wrong address, a body that is too large, or after too many rejected requests.',
    remedy:
      "As the program's developer, compare owner ID, app name, and server address with the snippet on **Settings**. A customer tries another network, for example without a VPN or the login page of a hotel, and asks again in a minute.",
  },
  UNKNOWN_KEY: {
    calls,
    cause:
      "The answer was signed with a key that the app's root key doesn't confirm, or whose time is over. The program has the verification key of another app or server, or the answer comes from a fake server.",
    remedy:
      "Compare the verification key in the program with **Server obfuscation key** on **Settings**. If it is right, somebody between the program and the server answers in the server's name.",
  },
  BAD_SIGNATURE: {
    calls,
    cause:
      'The signature does not fit the request and the answer: something between the program and the server changed one of them.',
    remedy:
      "The customer turns off proxies and the antivirus's inspection of connections, and tries again. A server behind a proxy of yours must get bodies and headers unchanged.",
  },
  STALE_RESPONSE: {
    calls,
    cause:
      'The answer is signed, but too old: it took more than a minute, the clock of the computer changed during the call, or it was recorded earlier.',
    remedy: 'The customer sets the date and time of the computer and tries again.',
  },
  FINGERPRINT_MISMATCH: {
    calls,
    cause:
      "The server's TLS certificate is not the one that the program pins. It was renewed, or somebody inspects the connection.",
    remedy:
      'After you renew a certificate, ship a version of the program with the new fingerprint, or leave the pin out: signatures protect the answers without it. A customer turns off the inspection of connections.',
  },
  MALFORMED_REPLY: {
    calls,
    cause:
      "The server's answer is signed and is not of this protocol: it comes from a version that the client doesn't know.",
    remedy: 'Use the client of the same version as the server; every server offers its own at `/clients/`.',
  },
  CANCELLED: {
    calls,
    cause: 'The program closed the client, or canceled its calls, while this call was in progress.',
    remedy: 'There is nothing to repair. Handle the code where your program closes the client during a call.',
  },
  FILE_CORRUPT: {
    calls,
    cause: "The downloaded bytes don't have the SHA-256 of the signed answer, so the client discarded them.",
    remedy:
      'The customer downloads again. If it happens every time, upload the file again on **Downloads**, and look for a proxy that changes files.',
  },
  FILE_NOT_WRITTEN: {
    calls,
    cause:
      "The client can't write the downloaded file: the disk is full, the folder doesn't exist, or the program may not write there.",
    remedy:
      'The customer frees space or chooses another folder. Save files in a folder of the user, not beside an installed program.',
  },
  HWID_UNAVAILABLE: {
    calls,
    cause:
      'The computer has no permanent identifier, or one that images are shipped with. Containers and cloned virtual machines often have none.',
    remedy:
      "Pass a hardware ID of your own to the client. On Linux, `systemd-machine-id-setup` creates an identifier. Turning off **HWID lock** in **Settings** doesn't help: the client sends a hardware ID with each sign-in.",
  },
  INVALID_CONFIGURATION: {
    calls,
    cause:
      "The client was constructed with values that can't work, such as a key that is cut off or a server address with a path.",
    remedy: 'Copy the snippet for your language from **Settings** again. The message names the value that is wrong.',
  },
  PROGRAM_NOT_FOUND: {
    calls,
    cause: "Hash check is on in the client, and it can't read the file of the program.",
    remedy:
      'The customer installs the program again, in a folder that it may read. If your program has no single file, pass its hash yourself, or turn off the hash check.',
  },
} as const satisfies ProgramRemedies
