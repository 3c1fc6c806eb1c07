using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Net;

namespace Signet.Client.Sessions;

/// <summary>
/// The sessions of one client: the one that is signed in, and the one that is opened but not signed in. Decides what
/// ends a session, and tells the program.
/// </summary>
internal sealed partial class SessionKeeper
{
    private readonly object _lock = new();
    private readonly SemaphoreSlim _signInGate = new(1, 1);
    private readonly CancellationTokenSource _closing = new();
    private readonly ClientConfiguration _configuration;
    private readonly Exchange _exchange;
    private readonly Clock _clock;
    private readonly List<Task> _logouts = new();

    /// <summary>Raised under the lock: the program hears of them in the order in which they happen.</summary>
    private readonly SessionEvents _events;
    private SignedIn? _current;
    private string? _opened;
    private bool _isClosed;
    private bool _isSigningIn;
    private (SignedIn Session, SignetException Error)? _pendingLoss;

    internal SessionKeeper(ClientConfiguration configuration, Exchange exchange, Clock clock, SessionEvents events)
    {
        _configuration = configuration;
        _exchange = exchange;
        _clock = clock;
        _events = events;
    }

    /// <summary>Canceled when the client is closed.</summary>
    internal CancellationToken Closing => _closing.Token;

    internal SignetSession? Session
    {
        get
        {
            lock (_lock)
            {
                return _current?.Session;
            }
        }
    }

    internal SignetException? Lost
    {
        get
        {
            lock (_lock)
            {
                return _current?.Lost;
            }
        }
    }

    internal bool IsValid
    {
        get
        {
            lock (_lock)
            {
                return !_isClosed && _current is { Lost: null } session && !IsOverdue(session);
            }
        }
    }

    /// <summary>Forgets all sessions, and ends the calls under way. Returns the token to log out with.</summary>
    internal string? Close()
    {
        string? token;
        lock (_lock)
        {
            token = TakeToken();
            _isClosed = true;
        }

        _closing.Cancel();
        return token;
    }

    private string? TakeToken()
    {
        SignedIn? session = _current;
        string? token = session is null || session.Lost != null ? _opened : session.Token;
        session?.Heartbeat?.Stop();
        _current = null;
        _opened = null;
        return token;
    }

    private bool IsOverdue(SignedIn session) => _configuration.Rhythm is { } rhythm
        ? _clock.Monotonic - session.HeardAt > rhythm.MaxSilence
        : _clock.Monotonic >= session.EndsAt;

    /// <summary>A verified success that describes the session.</summary>
    private SignetSession Keep(SignedIn session, SignetSession heard)
    {
        lock (_lock)
        {
            if (session.Lost != null)
            {
                return heard;
            }

            session.Session = heard;
            session.HeardAt = _clock.Monotonic;
            session.EndsAt = EndOf(heard);
            if (session.IsInterrupted && session == _current)
            {
                _events.RaiseResumed();
            }

            session.IsInterrupted = false;
            return heard;
        }
    }

    private TimeSpan EndOf(SignetSession session) =>
        _clock.Monotonic + TimeSpan.FromMilliseconds(session.ExpiresAt.ToUnixTimeMilliseconds() - _exchange.NowMs);

    /// <summary>
    /// A real no: the session is over, and the program is told once. <paramref name="upgrades"/> is how many there were
    /// when the question was asked: a successful upgrade since then makes the answer out of date.
    /// </summary>
    private void Lose(SignedIn session, SignetException error, int upgrades)
    {
        lock (_lock)
        {
            if (session != _current || session.Lost != null || session.Upgrades != upgrades)
            {
                return;
            }

            // A sign-in under way may have replaced the session by itself.
            if (_isSigningIn && error.Code is SignetCode.SessionReplaced or SignetCode.SessionEnded)
            {
                _pendingLoss = (session, error);
                return;
            }

            session.Lost = error;
            session.Heartbeat?.Stop();
            _events.RaiseLost(error);
        }
    }

    private void Start(SignedIn session)
    {
        if (_configuration.Rhythm is { } rhythm)
        {
            session.Heartbeat = new Heartbeat(
                _clock,
                rhythm,
                cancellation => BeatAsync(session, cancellation),
                latest => Watch(session, rhythm, latest));
            session.Heartbeat.Start();
        }
    }

    private Task BeatAsync(SignedIn session, CancellationToken cancellation) => Deadline.RunAsync(
        _clock, _configuration.Timeout, deadline => AskHeartbeatAsync(session, deadline.Token), cancellation, Closing);

    /// <summary>Tells the program when the server wasn't heard for too long. Returns the time until then.</summary>
    private TimeSpan Watch(SignedIn session, HeartbeatRhythm rhythm, SignetException? latest)
    {
        lock (_lock)
        {
            if (session != _current || session.Lost != null || session.IsInterrupted)
            {
                return TimeSpan.MaxValue;
            }

            TimeSpan left = rhythm.MaxSilence - (_clock.Monotonic - session.HeardAt);
            if (left >= TimeSpan.Zero)
            {
                return left;
            }

            session.IsInterrupted = true;
            _events.RaiseInterrupted(
                latest ?? new SignetException(SignetCode.Network, "The server wasn't heard for too long."));
            return TimeSpan.MaxValue;
        }
    }
}
