using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Downloads;
using Signet.Client.Protocol;

namespace Signet.Client;

/// <content>The calls.</content>
public sealed partial class SignetClient
{
    /// <summary>
    /// Opens a session: the server checks the app, its version, and the program hash. Optional:
    /// <see cref="LicenseAsync"/>, <see cref="LoginAsync(string, string, CancellationToken)"/>, and
    /// <see cref="RegisterAsync"/> do it themselves.
    /// </summary>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetApp> InitAsync(CancellationToken cancellation = default) =>
        CallAsync(_sessions.InitAsync, cancellation);

    /// <summary>
    /// Signs in with a license key alone. White space and invisible characters around the key are removed. A session
    /// that is signed in already stays until this has succeeded.
    /// </summary>
    /// <param name="key">The license key as the customer typed or pasted it.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetSession> LicenseAsync(string key, CancellationToken cancellation = default) =>
        SignInAsync("license", cancellation, ("key", LicenseKey.Trim(NotNull(key, nameof(key)))));

    /// <summary>Signs in with a username and a password.</summary>
    /// <param name="username">The customer's name.</param>
    /// <param name="password">The customer's password.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetSession> LoginAsync(
        string username, string password, CancellationToken cancellation = default) =>
        SignInAsync(
            "login",
            cancellation,
            ("username", NotNull(username, nameof(username))),
            ("password", NotNull(password, nameof(password))));

    /// <summary>
    /// Redeems a license for a user and signs in: renews a user whose time has ended. If the sign-in fails, the license
    /// stays unused.
    /// </summary>
    /// <param name="username">The customer's name.</param>
    /// <param name="password">The customer's password.</param>
    /// <param name="licenseKey">The license key as the customer typed or pasted it.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetSession> LoginAsync(
        string username, string password, string licenseKey, CancellationToken cancellation = default) =>
        SignInAsync(
            "login",
            cancellation,
            ("username", NotNull(username, nameof(username))),
            ("password", NotNull(password, nameof(password))),
            ("licenseKey", LicenseKey.Trim(NotNull(licenseKey, nameof(licenseKey)))));

    /// <summary>Creates a user with an unused license key, and signs in.</summary>
    /// <param name="username">The new name.</param>
    /// <param name="password">The new password.</param>
    /// <param name="licenseKey">The license key as the customer typed or pasted it.</param>
    /// <param name="email">The customer's email address, or null.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetSession> RegisterAsync(
        string username,
        string password,
        string licenseKey,
        string? email = null,
        CancellationToken cancellation = default) =>
        SignInAsync(
            "register",
            cancellation,
            ("username", NotNull(username, nameof(username))),
            ("password", NotNull(password, nameof(password))),
            ("licenseKey", LicenseKey.Trim(NotNull(licenseKey, nameof(licenseKey)))),
            ("email", email));

    /// <summary>Asks now whether the session stands. The background heartbeat does this by itself.</summary>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetSession> HeartbeatAsync(CancellationToken cancellation = default) =>
        CallAsync(deadline => _sessions.HeartbeatAsync(deadline.Token), cancellation);

    /// <summary>A variable of the app. The seller decides which ones need a sign-in.</summary>
    /// <param name="name">The name of the variable.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<string> VariableAsync(string name, CancellationToken cancellation = default) =>
        AskAsync("variable", ReadValue, cancellation, ("name", NotNull(name, nameof(name))));

    /// <summary>A variable of the user who is signed in.</summary>
    /// <param name="name">The name of the variable.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<string> UserVariableAsync(string name, CancellationToken cancellation = default) =>
        AskSignedInAsync("user-variable", ReadValue, cancellation, ("name", NotNull(name, nameof(name))));

    /// <summary>Creates or changes a variable of the user who is signed in.</summary>
    /// <param name="name">The name: up to 100 characters.</param>
    /// <param name="value">The value: up to 10,000 characters.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task SetUserVariableAsync(string name, string value, CancellationToken cancellation = default) =>
        AskSignedInAsync(
            "set-user-variable",
            ReadNothing,
            cancellation,
            ("name", NotNull(name, nameof(name))),
            ("value", NotNull(value, nameof(value))));

    /// <summary>Adds a line to the log that the seller sees; at most 30 a minute.</summary>
    /// <param name="message">Up to 1,000 characters.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task LogAsync(string message, CancellationToken cancellation = default) =>
        AskAsync("log", ReadNothing, cancellation, ("message", NotNull(message, nameof(message))));

    /// <summary>
    /// Writes a file of the app to <paramref name="path"/>. An existing file is replaced only once all bytes are there
    /// and verified. An interrupted download is resumed, in up to five attempts; an attempt fails when nothing arrives
    /// for <see cref="SignetOptions.Timeout"/>.
    /// </summary>
    /// <param name="fileId">The ID that the dashboard shows under <b>Downloads</b>.</param>
    /// <param name="path">Where to write the file.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer or file.</exception>
    public async Task<DownloadedFile> DownloadAsync(
        string fileId, string path, CancellationToken cancellation = default)
    {
        NotNull(fileId, nameof(fileId));
        NotNull(path, nameof(path));
        ThrowIfClosed();
        using CancellationTokenSource ended =
            CancellationTokenSource.CreateLinkedTokenSource(cancellation, _sessions.Closing);
        FileDownload download = new(token => AskFileAsync(fileId, token), _transport, _clock, _configuration.Timeout);
        try
        {
            return await download.SaveAsync(path, ended.Token).ConfigureAwait(false);
        }
        catch (SignetException error)
        {
            _messages.Translate(error);
            throw;
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            throw new OperationCanceledException(cancellation);
        }
    }

    /// <summary>
    /// Lets the server call a webhook of the app, so that its address and its secrets stay off this machine.
    /// </summary>
    /// <param name="webhookId">The ID that the dashboard shows under <b>Webhooks</b>.</param>
    /// <param name="parameters">
    /// The JSON body of the webhook: texts, numbers, bools, nulls, lists, and dictionaries with text keys.
    /// </param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<WebhookAnswer> CallWebhookAsync(
        string webhookId,
        IReadOnlyDictionary<string, object?>? parameters = null,
        CancellationToken cancellation = default) =>
        AskAsync(
            "call-webhook",
            WebhookAnswer.Read,
            cancellation,
            ("id", NotNull(webhookId, nameof(webhookId))),
            ("params", parameters ?? new Dictionary<string, object?>()));

    /// <summary>
    /// Redeems another license for the user who is signed in, also after the subscription has expired during the
    /// session.
    /// </summary>
    /// <param name="licenseKey">The license key as the customer typed or pasted it.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task<SignetSession> UpgradeAsync(string licenseKey, CancellationToken cancellation = default)
    {
        string key = LicenseKey.Trim(NotNull(licenseKey, nameof(licenseKey)));
        return CallAsync(
            deadline => _sessions.UpgradeAsync(RequestJson.Body(("licenseKey", key)), deadline.Token), cancellation);
    }

    /// <summary>Changes the password of the user who is signed in; the user's other sessions end.</summary>
    /// <param name="password">The current password.</param>
    /// <param name="newPassword">The new password.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task ChangePasswordAsync(
        string password, string newPassword, CancellationToken cancellation = default) =>
        AskSignedInAsync(
            "change-password",
            ReadNothing,
            cancellation,
            ("password", NotNull(password, nameof(password))),
            ("newPassword", NotNull(newPassword, nameof(newPassword))));

    /// <summary>
    /// Mails the user a link for a new password, if the server sends mail and an address is stored. The answer is the
    /// same for an unknown user. At most 3 an hour.
    /// </summary>
    /// <param name="username">The customer's name.</param>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server said no, or there is no verified answer.</exception>
    public Task RequestPasswordResetAsync(string username, CancellationToken cancellation = default) =>
        AskAsync(
            "request-password-reset", ReadNothing, cancellation, ("username", NotNull(username, nameof(username))));

    /// <summary>Ends the session: here in any case, and on the server if it can be reached.</summary>
    /// <param name="cancellation">Cancels the call.</param>
    /// <exception cref="SignetException">The server wasn't told.</exception>
    public Task LogoutAsync(CancellationToken cancellation = default) => CallAsync(
        async deadline =>
        {
            await _sessions.LogoutAsync(deadline.Token).ConfigureAwait(false);
            return true;
        },
        cancellation);

    private Task<SignetSession> SignInAsync(
        string name, CancellationToken cancellation, params (string Name, object? Value)[] fields) =>
        CallAsync(deadline => _sessions.SignInAsync(name, fields, deadline), cancellation);

    private Task<T> AskAsync<T>(
        string name,
        Func<JsonElement, T> read,
        CancellationToken cancellation,
        params (string Name, object? Value)[] fields) =>
        CallAsync(
            async deadline => read(await _sessions
                .CallAsync(name, RequestJson.Body(fields), deadline.Token)
                .ConfigureAwait(false)),
            cancellation);

    private Task<T> AskSignedInAsync<T>(
        string name,
        Func<JsonElement, T> read,
        CancellationToken cancellation,
        params (string Name, object? Value)[] fields) =>
        CallAsync(
            async deadline => read(await _sessions
                .CallSignedInAsync(name, RequestJson.Body(fields), deadline.Token)
                .ConfigureAwait(false)),
            cancellation);

    private Task<FileOffer> AskFileAsync(string fileId, CancellationToken cancellation) =>
        AskAsync("download", FileOffer.Read, cancellation, ("id", fileId));

    private static string ReadValue(JsonElement fields) => ReplyJson.Text(fields, "value");

    private static bool ReadNothing(JsonElement fields) => true;

    private static string NotNull(string? value, string name) => value ?? throw new ArgumentNullException(name);
}
