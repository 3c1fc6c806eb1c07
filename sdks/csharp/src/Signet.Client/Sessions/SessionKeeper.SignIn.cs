using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Net;
using Signet.Client.Protocol;

namespace Signet.Client.Sessions;

/// <content>Opening sessions, signing in, and logging out.</content>
internal sealed partial class SessionKeeper
{
    /// <summary>Opens a session; one that is signed in stays as it is.</summary>
    internal async Task<SignetApp> InitAsync(Deadline deadline)
    {
        await _signInGate.WaitAsync(deadline.Token).ConfigureAwait(false);
        try
        {
            (string token, SignetApp app) = await OpenAsync(deadline.Token).ConfigureAwait(false);
            KeepOpened(token);
            return app;
        }
        finally
        {
            _signInGate.Release();
        }
    }

    /// <summary>Signs in, in a new session. The current session stays as it is until that has succeeded.</summary>
    internal async Task<SignetSession> SignInAsync(
        string name, (string Name, object? Value)[] fields, Deadline deadline)
    {
        string hwid = _configuration.Hwid ?? HardwareId.OfThisMachine(_configuration.OwnerId);
        List<(string Name, object? Value)> complete = new(fields) { ("hwid", hwid) };
        byte[] body = RequestJson.Body(complete.ToArray());
        await _signInGate.WaitAsync(deadline.Token).ConfigureAwait(false);
        try
        {
            SetSigningIn(true);
            (string token, JsonElement answer) = await AskSignInAsync(name, body, deadline.Token).ConfigureAwait(false);
            SignetSession session = SignetSession.Read(answer);
            if (!deadline.TryCommit())
            {
                LogoutInBackground(token);
                throw new OperationCanceledException(deadline.Token);
            }

            Replace(new SignedIn(token, hwid, session));
            return session;
        }
        finally
        {
            SetSigningIn(false);
            _signInGate.Release();
        }
    }

    /// <summary>Ends the session here in any case, and on the server if it can be reached.</summary>
    internal async Task LogoutAsync(CancellationToken cancellation)
    {
        string? token;
        lock (_lock)
        {
            token = TakeToken();
        }

        if (token != null)
        {
            await LogoutAsync(token, cancellation).ConfigureAwait(false);
        }
    }

    internal async Task LogoutAsync(string token, CancellationToken cancellation)
    {
        try
        {
            await _exchange.CallAsync("logout", RequestJson.Body(), token, cancellation).ConfigureAwait(false);
        }
        catch (SignetException error) when (IsSessionGone(error))
        {
            // What was asked for is so already.
        }
    }

    /// <summary>Sign-in in the opened session, if there is one; else in a new one.</summary>
    private async Task<(string Token, JsonElement Answer)> AskSignInAsync(
        string name, byte[] body, CancellationToken cancellation)
    {
        string? opened = TakeOpened();
        if (opened != null)
        {
            try
            {
                return (opened, await AskSignInAsync(name, body, opened, cancellation).ConfigureAwait(false));
            }
            catch (SignetException error) when (IsSessionGone(error))
            {
                // It may have run out while the customer was looking for the key.
            }
        }

        (string token, _) = await OpenAsync(cancellation).ConfigureAwait(false);
        return (token, await AskSignInAsync(name, body, token, cancellation).ConfigureAwait(false));
    }

    private async Task<JsonElement> AskSignInAsync(
        string name, byte[] body, string token, CancellationToken cancellation)
    {
        try
        {
            return await _exchange.CallAsync(name, body, token, cancellation).ConfigureAwait(false);
        }
        catch (SignetException error) when (error.Status != 0 && !IsSessionGone(error))
        {
            // A verified error, also a temporary one, leaves the session unused. After a lost answer, it may be signed in.
            lock (_lock)
            {
                if (_current is null or { Lost: not null })
                {
                    _opened = _isClosed ? null : token;
                }
            }

            throw;
        }
    }

    private async Task<(string Token, SignetApp App)> OpenAsync(CancellationToken cancellation)
    {
        byte[] body = RequestJson.Body(
            ("version", _configuration.Version),
            ("hash", _configuration.ProgramHash?.Compute()),
            ("sdk", Exchange.Sdk));
        JsonElement answer = await _exchange.CallAsync("init", body, null, cancellation).ConfigureAwait(false);
        string token = ReplyJson.Text(answer, "session");
        if (token.Length is < 22 or > 128 || !IsToken(token))
        {
            throw ReplyJson.Malformed("session");
        }

        return (token, SignetApp.Read(answer));
    }

    private static bool IsToken(string text)
    {
        foreach (char character in text)
        {
            if (!(character is >= 'A' and <= 'Z' or >= 'a' and <= 'z' or >= '0' and <= '9' or '-' or '_'))
            {
                return false;
            }
        }

        return true;
    }

    private void Replace(SignedIn session)
    {
        string? replaced = null;
        lock (_lock)
        {
            if (_isClosed)
            {
                replaced = session.Token;
            }
            else
            {
                SignedIn? old = _current;
                old?.Heartbeat?.Stop();
                replaced = old is { Lost: null } ? old.Token : null;
                Enter(session);
            }
        }

        if (replaced != null)
        {
            LogoutInBackground(replaced);
        }
    }

    /// <summary>
    /// A session whose subscription expired starts anew, unless somebody logged out or signed in meanwhile.
    /// </summary>
    private void KeepUpgraded(SignedIn session, SignetSession heard)
    {
        lock (_lock)
        {
            if (session.Lost is null)
            {
                session.Upgrades++;
                Keep(session, heard);
            }
            else if (session.Lost.Code == SignetCode.SubscriptionExpired && !_isClosed && _current == session)
            {
                Enter(new SignedIn(session.Token, session.Hwid, heard));
            }
        }
    }

    private void Enter(SignedIn session)
    {
        session.HeardAt = _clock.Monotonic;
        session.EndsAt = EndOf(session.Session);
        _current = session;
        Start(session);
    }

    /// <summary>Ends once all sessions that were left in the background are logged out, or failed to be.</summary>
    internal Task LogoutsAsync()
    {
        lock (_lock)
        {
            return Task.WhenAll(_logouts);
        }
    }

    private void LogoutInBackground(string token)
    {
        Task logout = Deadline.RunAsync(
            _clock,
            _configuration.Timeout,
            async deadline =>
            {
                await LogoutAsync(token, deadline.Token).ConfigureAwait(false);
                return true;
            },
            CancellationToken.None,
            CancellationToken.None).ContinueWith(finished => _ = finished.Exception, TaskScheduler.Default);
        lock (_lock)
        {
            _logouts.RemoveAll(earlier => earlier.IsCompleted);
            _logouts.Add(logout);
        }
    }

    private void SetSigningIn(bool value)
    {
        (SignedIn Session, SignetException Error)? loss;
        lock (_lock)
        {
            _isSigningIn = value;
            loss = _pendingLoss;
            _pendingLoss = null;
        }

        if (loss.HasValue)
        {
            Lose(loss.Value.Session, loss.Value.Error, UpgradesOf(loss.Value.Session));
        }
    }

    private void KeepOpened(string token)
    {
        lock (_lock)
        {
            _opened = _isClosed ? null : token;
        }
    }

    private string? TakeOpened()
    {
        lock (_lock)
        {
            string? token = _opened;
            _opened = null;
            return token;
        }
    }

    private static bool IsSessionGone(SignetException error) => error.Status != 0 && error.Code
        is SignetCode.SessionRequired
        or SignetCode.SessionExpired
        or SignetCode.SessionEnded
        or SignetCode.SessionReplaced;
}
