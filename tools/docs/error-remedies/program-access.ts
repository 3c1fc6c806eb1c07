import {
  callsOfSignedIn,
  callsWithAccess,
  everyCall,
  hwidCalls,
  passwordCalls,
  type ProgramRemedies,
  redeeming,
  starts,
} from './program-calls.ts'

/** Why a customer may not run the program: the license, the user, the machine, the program itself. */
export const programAccess = {
  LICENSE_NOT_FOUND: {
    calls: redeeming,
    cause:
      'The app has no license with this key. The key was mistyped, belongs to another app, or was deleted. Spaces around the key are ignored, but upper and lower case count.',
    remedy:
      'The customer compares the key with the one from the purchase and enters it again. If it is right, you search for it on **Licenses** of the app that the program names in its constructor. If it was deleted, create a new license there.',
  },
  LICENSE_BANNED: {
    calls: [...redeeming, ...callsWithAccess.filter((call) => call !== 'license' && call !== 'login')],
    cause:
      'The license is banned, so it signs nobody in. A ban also ends the sessions of programs that run with the license, on their next call. A user who has another running subscription can still sign in with a name and a password.',
    remedy:
      'Only you can lift the ban: open **Licenses**, search for the key, and choose **Unban**, or call `POST /licenses/{license}/unban` of the seller API. **Audit** shows who banned it and when. After that, the customer signs in again.',
  },
  LICENSE_ALREADY_USED: {
    calls: redeeming,
    cause:
      'The license was redeemed before, by a user who has a name and a password or by another user of the app. A key gives its time once. The key alone signs in only the user whom it created, and only while that user has no password.',
    remedy:
      'If the customer registered with this key, or you gave its user a password, the program calls `login` with the username and the password instead. Otherwise, search for the key on **Licenses** to see who used it, and give the customer a new license.',
  },
  SUBSCRIPTION_EXPIRED: {
    calls: callsWithAccess,
    cause:
      'The user has no subscription that is running now: its time has ended, its license was deleted, or the user never had one. A running program gets this answer with its next heartbeat.',
    remedy:
      'The customer redeems another license: with `upgrade` in a running session, with `login` and its `licenseKey`, or with `license` for a key that was never used. You can add time on **Users** with **Extend**, or with `POST /users/{username}/extend` and `extendExpired` of the seller API.',
  },
  SUBSCRIPTION_PAUSED: {
    calls: [...callsWithAccess, 'register', 'upgrade'],
    cause:
      'The subscription level of the user is paused for the whole app, and the user has no other level that is running.',
    remedy:
      'Open **Subscriptions** and choose **Activate** for the level, or send `"active": true` to `PUT /subscriptions/{level}` of the seller API. All users of the level can then sign in again. The time of a paused level goes on.',
  },
  USER_BANNED: {
    calls: [...callsWithAccess, 'register', 'upgrade'],
    cause:
      'You banned this user. The ban ends the sessions of the user on their next call. A session that was ended by the ban signs nobody else in until the ban is lifted.',
    remedy:
      'Open **Users**, search for the name, and choose **Unban**, or call `POST /users/{username}/unban` of the seller API. For a customer who only has a key, the key is the name. **Audit** shows who banned the user and when.',
  },
  USER_PAUSED: {
    calls: [...callsWithAccess, 'upgrade'],
    cause: 'You paused this user. The time that was left is kept, and the program is rejected until the pause ends.',
    remedy:
      'Open **Users** and choose **Unpause**, or call `POST /users/{username}/unpause` of the seller API. The user continues with the time that was left to the second.',
  },
  USER_LIMIT_REACHED: {
    calls: ['license', 'register'],
    cause:
      'The app has as many users as your plan allows, so the first sign-in with a new license creates no user. The license stays unused, and existing users are not affected.',
    remedy:
      "Delete users whom you no longer need on **Users**, or ask an administrator of the server for a plan that allows more, which **Profile** shows. Then the customer enters the key again. A plan's limit is in [Limits](../limits.md).",
  },
  USERNAME_TAKEN: {
    calls: ['register'],
    cause: 'Another user of this app has this name, in upper or lower case. The license stays unused.',
    remedy:
      'The customer chooses another name, and the program calls `register` again with the same license. A customer who registered earlier signs in with `login`.',
  },
  INVALID_CREDENTIALS: {
    calls: passwordCalls,
    cause:
      'The username or the password is wrong; the answer is the same for both, so that nobody can find out which names exist. A user who was created with a key alone has no password.',
    remedy:
      'The customer checks both and tries again, or asks for a new password with `request-password-reset`. You can set a new password on **Users** with **Edit**, or with `PUT /users/{username}` of the seller API.',
  },
  LOGIN_COOLDOWN: {
    calls: passwordCalls,
    cause:
      'There were too many wrong passwords for this user, or from this network, in a short time. The attempt was not checked, even if the password was right.',
    remedy:
      'The customer waits for the number of minutes in the message and tries again. A correct password resets the count. Administrators set the number of attempts and the length of the pause in **System Settings**.',
  },
  HWID_MISMATCH: {
    calls: ['license', 'login', 'renew'],
    cause:
      'The user is bound to another machine, because HWID lock is on in the app. The machine is bound at the first sign-in. Reinstalling the operating system gives a machine a new ID.',
    remedy:
      'If the customer has moved to another computer, open **Users** and choose **Reset HWID**, or call `POST /users/{username}/reset-hwid` of the seller API. The next machine that signs in is bound. To allow any machine, turn off **HWID lock** in **Settings**.',
  },
  HWID_REQUIRED: {
    calls: hwidCalls,
    cause: 'HWID lock is on in the app, and the program sent no hardware ID.',
    remedy:
      "As the program's developer, send a hardware ID with the sign-in, as the clients do by themselves. Or turn off **HWID lock** in **Settings**.",
  },
  HWID_TOO_SHORT: {
    calls: hwidCalls,
    cause: 'The hardware ID that the program sent is shorter than the minimum length in the settings of the app.',
    remedy:
      "Use the clients' own hardware ID, which has 64 characters, or lower **Minimum HWID length** in **Settings**. A short ID is easy to guess and often the same on many machines.",
  },
  VERSION_OUTDATED: {
    calls: starts,
    cause:
      "The program's version is not the one in the settings of the app. Any difference counts, also a newer version. The answer has `version`, the one that is expected, and `downloadUrl`, your auto update link.",
    remedy:
      'The customer installs the version that you offer; the program can open `downloadUrl`. If you have just released a version, set **App version** in **Settings** to the `version` that the program passes to the client.',
  },
  HASH_MISMATCH: {
    calls: starts,
    cause:
      'Hash check is on in the app, and the SHA-256 of the program file is not the one in its settings, or the program sent none. The file was changed, or it is another build.',
    remedy:
      'The customer installs the program again from you. After each release, set **Hash to check** in **Settings** to the SHA-256 of the released file, or turn **Hash check** off.',
  },
  VPN_BLOCKED: {
    calls: starts,
    cause:
      "VPN block is on in the app, and the customer's address belongs to a network of a VPN or a data center, according to the server's list.",
    remedy:
      'The customer turns the VPN off and starts the program again. If the address is not one of a VPN, turn off **VPN block** in **Settings** and tell the operator of the server, who maintains the list.',
  },
  NOT_SIGNED_IN: {
    calls: callsOfSignedIn,
    cause:
      'The session is open, but nobody has signed in to it. These calls need a user; `variable`, `download`, and `call-webhook` need none if the object exists and is open to everybody.',
    remedy:
      "As the program's developer, call `license`, `login`, or `register` after `init` and before this call. To open an object to programs without a user, turn off **Only when signed in** on **Variables** or **Downloads**, or **Authenticated** on **Webhooks**.",
  },
  APP_DISABLED: {
    calls: everyCall,
    cause: 'You have disabled the app, so all of its programs are rejected. Nothing is deleted.',
    remedy:
      'Turn on **App status** in **Settings**, or choose **Enable** on **Manage Apps**. Programs work again on their next call; customers sign in again if their session has ended.',
  },
  OWNER_BANNED: {
    calls: everyCall,
    cause: 'The account that owns the app is banned, so all programs of all its apps are rejected.',
    remedy:
      'Customers contact the seller. As the seller, ask an administrator of the server, who can unban the account on **Manage Owners**.',
  },
  APP_NOT_FOUND: {
    calls: everyCall,
    cause:
      'The server has no app with this owner ID and name: one of them is wrong in the program, or the app was renamed or deleted. The answer is unsigned, because there is no key to sign it with, so a client reports `UNSIGNED_RESPONSE`.',
    remedy:
      "As the program's developer, compare owner ID, app name, and server address with the snippet on **Settings**. After you rename an app, older versions of the program don't find it: give it its old name back.",
  },
} as const satisfies ProgramRemedies
