/*
 * Signet client, C interface.
 *
 * Text is UTF-8. Input text is a pointer and a length in bytes; SIGNET_NUL_TERMINATED as length means that the text
 * ends with a NUL. The library copies what it keeps. Output text belongs to its handle, is NUL-terminated, and lives as
 * long as the handle; `length`, if not NULL, receives its length in bytes. Times are epoch seconds (UTC).
 *
 * Functions that can fail return a signet_code: SIGNET_OK, or the error's code. Their last parameter, if not NULL,
 * receives a signet_error that you free with signet_error_free, or NULL on success. Result parameters may be NULL if
 * you don't need the result; they are set to NULL on failure. All `..._free` functions accept NULL.
 *
 * Threads: all functions of a client may be called from any thread at any time, except that signet_client_free must be
 * the last call. Options and results may be used by one thread at a time; reading a result is safe from several.
 */
#ifndef SIGNET_SIGNET_H
#define SIGNET_SIGNET_H

#include <stddef.h>
#include <stdint.h>

#include "signet/codes.h"

#define SIGNET_VERSION "0.1.0"

#if defined(SIGNET_STATIC)
#define SIGNET_API
#elif defined(_WIN32)
#if defined(SIGNET_BUILDING)
#define SIGNET_API __declspec(dllexport)
#else
#define SIGNET_API __declspec(dllimport)
#endif
#else
#define SIGNET_API __attribute__((visibility("default")))
#endif

#if defined(_WIN32) && !defined(_WIN64)
#define SIGNET_CALL __cdecl
#else
#define SIGNET_CALL
#endif

#define SIGNET_NUL_TERMINATED ((size_t)-1)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct signet_options signet_options;
typedef struct signet_client signet_client;
typedef struct signet_error signet_error;
typedef struct signet_app signet_app;
typedef struct signet_session signet_session;
typedef struct signet_text signet_text;
typedef struct signet_file signet_file;
typedef struct signet_webhook_answer signet_webhook_answer;

/* The version of the library in use, such as "0.1.0"; SIGNET_VERSION is the one of this header. */
SIGNET_API const char* SIGNET_CALL signet_version(void);

/* ---- Options ---------------------------------------------------------------------------------------------------- */

/* The error of an event lives until the callback returns. */
typedef void(SIGNET_CALL* signet_error_callback)(const signet_error* error, void* user_data);
typedef void(SIGNET_CALL* signet_callback)(void* user_data);

/* NULL only without memory. */
SIGNET_API signet_options* SIGNET_CALL signet_options_new(void);
SIGNET_API void SIGNET_CALL signet_options_free(signet_options* options);

/*
 * Setters return SIGNET_OK, or SIGNET_CODE_INVALID_CONFIGURATION for a NULL pointer. Values are checked by
 * signet_client_new. These six are required.
 */
SIGNET_API signet_code SIGNET_CALL signet_options_set_owner_id(signet_options* options, const char* text,
                                                               size_t length);
SIGNET_API signet_code SIGNET_CALL signet_options_set_app_name(signet_options* options, const char* text,
                                                               size_t length);
SIGNET_API signet_code SIGNET_CALL signet_options_set_version(signet_options* options, const char* text, size_t length);
/* Scheme, host, and port, such as https://signet.example.com. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_server_url(signet_options* options, const char* text,
                                                                 size_t length);
SIGNET_API signet_code SIGNET_CALL signet_options_set_verification_key(signet_options* options, const char* text,
                                                                       size_t length);
SIGNET_API signet_code SIGNET_CALL signet_options_set_sealing_key(signet_options* options, const char* text,
                                                                  size_t length);

/* SHA-256 in hex that is sent as the program's hash. Default: none. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_program_hash(signet_options* options, const char* text,
                                                                   size_t length);
/* Sends the hash of the running program's file. Default: 0. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_hash_running_program(signet_options* options, int enabled);
/* SHA-256 of the server's TLS certificate in hex, checked in addition. Call it once for each that is allowed. */
SIGNET_API signet_code SIGNET_CALL signet_options_add_fingerprint(signet_options* options, const char* text,
                                                                  size_t length);
/* Encrypts request bodies for the app, so that a TLS-inspecting proxy can't read them. Default: 0. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_seal_requests(signet_options* options, int enabled);
/* Limits a whole call. Default: 15,000. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_timeout_ms(signet_options* options, int64_t milliseconds);
/* 0 for no background heartbeat. Default: 60,000. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_heartbeat_interval_ms(signet_options* options,
                                                                            int64_t milliseconds);
/* How long a session stays valid without a verified answer, after a missed heartbeat: more than 0. Default: 180,000. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_grace_ms(signet_options* options, int64_t milliseconds);
/* Your own machine identifier. Default: signet_hardware_id. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_hwid(signet_options* options, const char* text, size_t length);
/* Such as http://proxy.example.com:3128. Default: none; the environment's proxy is ignored. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_proxy(signet_options* options, const char* text, size_t length);
/* PEM file with the certificate authorities to trust instead of the system's. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_ca_file(signet_options* options, const char* text, size_t length);
/* Allows an http:// server URL for other hosts than this computer. Default: 0. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_allow_http(signet_options* options, int enabled);
/* en, pt, or es: the language of signet_error_customer_message. Default: en. */
SIGNET_API signet_code SIGNET_CALL signet_options_set_language(signet_options* options, const char* text,
                                                               size_t length);
/* Your own sentence for customers, for one code such as "LICENSE_BANNED". */
SIGNET_API signet_code SIGNET_CALL signet_options_set_customer_message(signet_options* options, const char* code,
                                                                       size_t code_length, const char* text,
                                                                       size_t length);
/*
 * Events, each of which may be NULL. They come one at a time, in the order in which they happened, from the background
 * thread or from a thread that is in a call, never while the library holds a lock, so they may call the client, except
 * signet_client_free.
 *   on_lost: once for a sign-in, when the server rejects it (a ban, an expired subscription).
 *   on_interrupted: signet_is_valid turned false because nothing verifiable was heard in time.
 *   on_resumed: the server was heard again after an interruption.
 * release(user_data) is called once, when no callback can come anymore and the options and their clients are freed.
 */
SIGNET_API signet_code SIGNET_CALL signet_options_set_callbacks(signet_options* options, signet_error_callback on_lost,
                                                                signet_error_callback on_interrupted,
                                                                signet_callback on_resumed, void* user_data,
                                                                signet_callback release);

/* ---- Client ------------------------------------------------------------------------------------------------------ */

/* Makes no network calls. The options can be freed or used again afterwards. */
SIGNET_API signet_code SIGNET_CALL signet_client_new(const signet_options* options, signet_client** client,
                                                     signet_error** error);
/* Closes the client if it is open. */
SIGNET_API void SIGNET_CALL signet_client_free(signet_client* client);

/* Ends the calls under way with SIGNET_CODE_CANCELLED. Calls made later aren't affected. */
SIGNET_API void SIGNET_CALL signet_cancel(signet_client* client);

/*
 * Logs out if the server can be reached, and stops the heartbeat. Returns within 2 seconds, whatever hangs. All later
 * calls return SIGNET_CODE_CANCELLED.
 */
SIGNET_API void SIGNET_CALL signet_close(signet_client* client);

/* Optional: the sign-ins call it themselves. */
SIGNET_API signet_code SIGNET_CALL signet_init(signet_client* client, signet_app** app, signet_error** error);

/*
 * Sign-ins. Each opens a new session. A session that is signed in stays untouched until the new sign-in succeeded.
 * White space and invisible characters at both ends of license keys are ignored.
 */
SIGNET_API signet_code SIGNET_CALL signet_license(signet_client* client, const char* key, size_t key_length,
                                                  signet_session** session, signet_error** error);
SIGNET_API signet_code SIGNET_CALL signet_login(signet_client* client, const char* username, size_t username_length,
                                                const char* password, size_t password_length, signet_session** session,
                                                signet_error** error);
/* Redeems a license for the user first: renews a user whose time has ended. If it fails, the license stays unused. */
SIGNET_API signet_code SIGNET_CALL signet_login_with_license(signet_client* client, const char* username,
                                                             size_t username_length, const char* password,
                                                             size_t password_length, const char* license_key,
                                                             size_t license_key_length, signet_session** session,
                                                             signet_error** error);
/* `email` may be NULL. */
SIGNET_API signet_code SIGNET_CALL signet_register(signet_client* client, const char* username, size_t username_length,
                                                   const char* password, size_t password_length,
                                                   const char* license_key, size_t license_key_length,
                                                   const char* email, size_t email_length, signet_session** session,
                                                   signet_error** error);
/* Redeems another license for the user, also after SUBSCRIPTION_EXPIRED. */
SIGNET_API signet_code SIGNET_CALL signet_upgrade(signet_client* client, const char* license_key,
                                                  size_t license_key_length, signet_session** session,
                                                  signet_error** error);
/* Asks now; the background heartbeat asks by itself. */
SIGNET_API signet_code SIGNET_CALL signet_heartbeat(signet_client* client, signet_session** session,
                                                    signet_error** error);

SIGNET_API signet_code SIGNET_CALL signet_variable(signet_client* client, const char* name, size_t name_length,
                                                   signet_text** value, signet_error** error);
SIGNET_API signet_code SIGNET_CALL signet_user_variable(signet_client* client, const char* name, size_t name_length,
                                                        signet_text** value, signet_error** error);
SIGNET_API signet_code SIGNET_CALL signet_set_user_variable(signet_client* client, const char* name, size_t name_length,
                                                            const char* value, size_t value_length,
                                                            signet_error** error);
SIGNET_API signet_code SIGNET_CALL signet_log(signet_client* client, const char* message, size_t message_length,
                                              signet_error** error);
/*
 * Writes a file of the app to `path`. The path's old content is replaced only when all bytes are verified. An
 * interrupted download is resumed, in up to five attempts, each limited by the timeout of silence; use signet_cancel to
 * end it.
 */
SIGNET_API signet_code SIGNET_CALL signet_download(signet_client* client, const char* file_id, size_t file_id_length,
                                                   const char* path, size_t path_length, signet_file** file,
                                                   signet_error** error);
/* `params_json` is a JSON object, or NULL for {}. */
SIGNET_API signet_code SIGNET_CALL signet_call_webhook(signet_client* client, const char* webhook_id,
                                                       size_t webhook_id_length, const char* params_json,
                                                       size_t params_json_length, signet_webhook_answer** answer,
                                                       signet_error** error);
SIGNET_API signet_code SIGNET_CALL signet_change_password(signet_client* client, const char* password,
                                                          size_t password_length, const char* new_password,
                                                          size_t new_password_length, signet_error** error);
SIGNET_API signet_code SIGNET_CALL signet_request_password_reset(signet_client* client, const char* username,
                                                                 size_t username_length, signet_error** error);
/* The session ends here even if the server can't be reached. */
SIGNET_API signet_code SIGNET_CALL signet_logout(signet_client* client, signet_error** error);

/* 1 if the program may go on. Makes no network call; call it as often as you like. */
SIGNET_API int SIGNET_CALL signet_is_valid(const signet_client* client);
/* The latest that the server said about the user; NULL before a sign-in. Free it with signet_session_free. */
SIGNET_API signet_session* SIGNET_CALL signet_current_session(const signet_client* client);
/* The error that ended the session, or NULL. Free it with signet_error_free. */
SIGNET_API signet_error* SIGNET_CALL signet_lost(const signet_client* client);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

typedef enum signet_verdict {
  /* Nobody knows who answered: it says nothing about the license. */
  SIGNET_VERDICT_UNVERIFIED = 0,
  /* It says nothing about the license; ask again later. */
  SIGNET_VERDICT_TEMPORARY = 1,
  /* It is about what was asked. */
  SIGNET_VERDICT_REQUEST = 2,
  /* It ends a session. */
  SIGNET_VERDICT_LOST = 3
} signet_verdict;

/* SIGNET_CODE_UNKNOWN for a code that is newer than this library. */
SIGNET_API signet_code SIGNET_CALL signet_error_code(const signet_error* error);
/* Such as "LICENSE_BANNED", for unknown codes too. */
SIGNET_API const char* SIGNET_CALL signet_error_code_name(const signet_error* error);
/* For developers, in English. */
SIGNET_API const char* SIGNET_CALL signet_error_message(const signet_error* error, size_t* length);
/* For customers, in the client's language. */
SIGNET_API const char* SIGNET_CALL signet_error_customer_message(const signet_error* error, size_t* length);
/* HTTP status of a verified answer; 0 for errors of the client itself. */
SIGNET_API int SIGNET_CALL signet_error_status(const signet_error* error);
SIGNET_API signet_verdict SIGNET_CALL signet_error_verdict(const signet_error* error);
/* 1 if the same call can succeed later: the verdict is unverified or temporary. */
SIGNET_API int SIGNET_CALL signet_error_is_temporary(const signet_error* error);
/* NULL if there is none. */
SIGNET_API const char* SIGNET_CALL signet_error_request_id(const signet_error* error, size_t* length);
/* Where the new version is, with VERSION_OUTDATED; NULL if there is none. */
SIGNET_API const char* SIGNET_CALL signet_error_download_url(const signet_error* error, size_t* length);
/* How long the server asks to wait; a negative number if it doesn't. */
SIGNET_API double SIGNET_CALL signet_error_retry_after_seconds(const signet_error* error);
/* The other fields of a verified answer, as a JSON object. */
SIGNET_API const char* SIGNET_CALL signet_error_details_json(const signet_error* error, size_t* length);
SIGNET_API void SIGNET_CALL signet_error_free(signet_error* error);

/* The library's sentence for customers, for a code such as "LICENSE_BANNED". Lives forever. */
SIGNET_API const char* SIGNET_CALL signet_customer_message(const char* code, size_t code_length, const char* language,
                                                           size_t language_length, size_t* length);

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/* Optional times are SIGNET_NO_TIME if there is none: a subscription without an end, a user who never signed in. */
#define SIGNET_NO_TIME INT64_MIN

SIGNET_API const char* SIGNET_CALL signet_app_name(const signet_app* app, size_t* length);
SIGNET_API const char* SIGNET_CALL signet_app_version(const signet_app* app, size_t* length);
/* NULL if there is none. */
SIGNET_API const char* SIGNET_CALL signet_app_webloader_url(const signet_app* app, size_t* length);
SIGNET_API void SIGNET_CALL signet_app_free(signet_app* app);

SIGNET_API const char* SIGNET_CALL signet_session_username(const signet_session* session, size_t* length);
/* NULL if there is none. */
SIGNET_API const char* SIGNET_CALL signet_session_email(const signet_session* session, size_t* length);
/* The end of the session, not of a subscription. */
SIGNET_API int64_t SIGNET_CALL signet_session_expires_at(const signet_session* session);
SIGNET_API int64_t SIGNET_CALL signet_session_created_at(const signet_session* session);
SIGNET_API int64_t SIGNET_CALL signet_session_last_login_at(const signet_session* session);
SIGNET_API size_t SIGNET_CALL signet_session_subscription_count(const signet_session* session);
SIGNET_API int64_t SIGNET_CALL signet_session_subscription_level(const signet_session* session, size_t index);
SIGNET_API const char* SIGNET_CALL signet_session_subscription_name(const signet_session* session, size_t index,
                                                                    size_t* length);
SIGNET_API int64_t SIGNET_CALL signet_session_subscription_expires_at(const signet_session* session, size_t index);
SIGNET_API void SIGNET_CALL signet_session_free(signet_session* session);

SIGNET_API const char* SIGNET_CALL signet_text_data(const signet_text* text, size_t* length);
SIGNET_API void SIGNET_CALL signet_text_free(signet_text* text);

/* Absolute. */
SIGNET_API const char* SIGNET_CALL signet_file_path(const signet_file* file, size_t* length);
/* As the vendor uploaded it. Untrusted: never use it as a path. */
SIGNET_API const char* SIGNET_CALL signet_file_name(const signet_file* file, size_t* length);
SIGNET_API int64_t SIGNET_CALL signet_file_size(const signet_file* file);
SIGNET_API const char* SIGNET_CALL signet_file_sha256(const signet_file* file, size_t* length);
SIGNET_API void SIGNET_CALL signet_file_free(signet_file* file);

/* The HTTP status that the webhook answered. */
SIGNET_API int SIGNET_CALL signet_webhook_answer_status(const signet_webhook_answer* answer);
SIGNET_API const char* SIGNET_CALL signet_webhook_answer_body(const signet_webhook_answer* answer, size_t* length);
SIGNET_API void SIGNET_CALL signet_webhook_answer_free(signet_webhook_answer* answer);

/* ---- This machine ------------------------------------------------------------------------------------------------ */

/* The hardware ID of this machine for an owner: 64 hex digits. */
SIGNET_API signet_code SIGNET_CALL signet_hardware_id(const char* owner_id, size_t owner_id_length, signet_text** id,
                                                      signet_error** error);
/* The same for a given machine identifier. */
SIGNET_API signet_code SIGNET_CALL signet_hardware_id_of(const char* owner_id, size_t owner_id_length,
                                                         const char* machine_id, size_t machine_id_length,
                                                         signet_text** id, signet_error** error);

#ifdef __cplusplus
}
#endif

#endif /* SIGNET_SIGNET_H */
