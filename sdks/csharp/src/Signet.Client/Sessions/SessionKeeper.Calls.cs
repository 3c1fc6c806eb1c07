using System;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Protocol;

namespace Signet.Client.Sessions;

/// <content>Calls inside a session, and the renewal of a session that expired.</content>
internal sealed partial class SessionKeeper
{
    /// <summary>In the session that is signed in; else in one that is only opened.</summary>
    internal async Task<JsonElement> CallAsync(string name, byte[] body, CancellationToken cancellation)
    {
        if (FindCurrent() is { Lost: null } session)
        {
            return await CallInAsync(session, name, body, cancellation).ConfigureAwait(false);
        }

        string? opened = PeekOpened();
        if (opened != null)
        {
            try
            {
                return await _exchange.CallAsync(name, body, opened, cancellation).ConfigureAwait(false);
            }
            catch (SignetException error) when (IsSessionGone(error))
            {
                // Nothing was done; a new session cures it.
            }
        }

        string token = await OpenForCallAsync(opened, cancellation).ConfigureAwait(false);
        return await _exchange.CallAsync(name, body, token, cancellation).ConfigureAwait(false);
    }

    /// <exception cref="SignetException"><c>SESSION_REQUIRED</c>, or the error that ended the session.</exception>
    internal async Task<JsonElement> CallSignedInAsync(string name, byte[] body, CancellationToken cancellation)
    {
        SignedIn session = RequireCurrent();
        return session.Lost is null
            ? await CallInAsync(session, name, body, cancellation).ConfigureAwait(false)
            : throw session.Lost;
    }

    internal async Task<SignetSession> HeartbeatAsync(CancellationToken cancellation)
    {
        SignedIn session = RequireCurrent();
        return session.Lost is null
            ? await AskHeartbeatAsync(session, cancellation).ConfigureAwait(false)
            : throw session.Lost;
    }

    /// <summary>Also after the subscription expired: then the session starts anew.</summary>
    internal async Task<SignetSession> UpgradeAsync(byte[] body, CancellationToken cancellation)
    {
        SignedIn session = RequireCurrent();
        if (session.Lost != null && session.Lost.Code != SignetCode.SubscriptionExpired)
        {
            throw session.Lost;
        }

        JsonElement answer = await CallInAsync(session, "upgrade", body, cancellation).ConfigureAwait(false);
        SignetSession heard = SignetSession.Read(answer);
        KeepUpgraded(session, heard);
        return heard;
    }

    private async Task<SignetSession> AskHeartbeatAsync(SignedIn session, CancellationToken cancellation)
    {
        JsonElement answer = await CallInAsync(session, "heartbeat", RequestJson.Body(), cancellation)
            .ConfigureAwait(false);
        return Keep(session, SignetSession.Read(answer));
    }

    private async Task<JsonElement> CallInAsync(
        SignedIn session, string name, byte[] body, CancellationToken cancellation)
    {
        int upgrades = UpgradesOf(session);
        try
        {
            int renewals = RenewalsOf(session);
            try
            {
                return await _exchange.CallAsync(name, body, session.Token, cancellation).ConfigureAwait(false);
            }
            catch (SignetException error) when (error.Code == SignetCode.SessionExpired && error.Status != 0)
            {
                await WaitAsync(RenewAsync(session, renewals), cancellation).ConfigureAwait(false);
            }

            return await _exchange.CallAsync(name, body, session.Token, cancellation).ConfigureAwait(false);
        }
        catch (SignetException error) when (EndsSession(name, error))
        {
            Lose(session, error, upgrades);
            throw;
        }
    }

    /// <summary>Whether an error that was heard in the signed-in session is a real no to it.</summary>
    private static bool EndsSession(string name, SignetException error)
    {
        if (error.Status == 0 || error.IsTemporary)
        {
            return false;
        }

        return name switch
        {
            "heartbeat" or "renew" => true,

            // These answers are about the key or the name that was typed.
            "upgrade" or "request-password-reset" => error.Verdict == Verdict.Lost && IsSessionGone(error),
            _ => error.Verdict == Verdict.Lost,
        };
    }

    /// <summary>All calls that hear <c>SESSION_EXPIRED</c> share one renewal, which none of them can cancel.</summary>
    private Task RenewAsync(SignedIn session, int renewalsBefore)
    {
        lock (_lock)
        {
            return session.Renewals != renewalsBefore
                ? Task.CompletedTask
                : session.Renewal ??= Task.Run(() => RenewOnceAsync(session));
        }
    }

    private async Task RenewOnceAsync(SignedIn session)
    {
        int upgrades = UpgradesOf(session);
        try
        {
            byte[] body = RequestJson.Body(
                ("version", _configuration.Version),
                ("hash", _configuration.ProgramHash?.Compute()),
                ("hwid", session.Hwid));
            JsonElement answer = await Deadline.RunAsync(
                _clock,
                _configuration.Timeout,
                deadline => _exchange.CallAsync("renew", body, session.Token, deadline.Token),
                CancellationToken.None,
                Closing).ConfigureAwait(false);
            Keep(session, SignetSession.Read(answer));
            lock (_lock)
            {
                session.Renewals++;
            }
        }
        catch (SignetException error) when (EndsSession("renew", error))
        {
            Lose(session, error, upgrades);
            throw;
        }
        finally
        {
            lock (_lock)
            {
                session.Renewal = null;
            }
        }
    }

    /// <summary>Waits for a task that goes on if the wait is canceled.</summary>
    private static async Task WaitAsync(Task task, CancellationToken cancellation)
    {
        _ = task.ContinueWith(finished => _ = finished.Exception, TaskScheduler.Default);
        TaskCompletionSource<bool> canceled = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using (cancellation.Register(() => canceled.TrySetResult(true)))
        {
            await Task.WhenAny(task, canceled.Task).ConfigureAwait(false);
        }

        cancellation.ThrowIfCancellationRequested();
        await task.ConfigureAwait(false);
    }

    private async Task<string> OpenForCallAsync(string? gone, CancellationToken cancellation)
    {
        await _signInGate.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            string? opened = PeekOpened();
            if (opened != null && opened != gone)
            {
                return opened;
            }

            (string token, _) = await OpenAsync(cancellation).ConfigureAwait(false);
            KeepOpened(token);
            return token;
        }
        finally
        {
            _signInGate.Release();
        }
    }

    private int RenewalsOf(SignedIn session)
    {
        lock (_lock)
        {
            return session.Renewals;
        }
    }

    private int UpgradesOf(SignedIn session)
    {
        lock (_lock)
        {
            return session.Upgrades;
        }
    }

    private SignedIn? FindCurrent()
    {
        lock (_lock)
        {
            return _current;
        }
    }

    private SignedIn RequireCurrent() => FindCurrent() ?? throw new SignetException(
        SignetCode.SessionRequired, "Sign in first: LicenseAsync, LoginAsync, or RegisterAsync.");

    private string? PeekOpened()
    {
        lock (_lock)
        {
            return _opened;
        }
    }
}
