using System;
using System.Threading.Tasks;

namespace Signet.Client.Sessions;

/// <summary>What the client knows about one sign-in. Its fields change only under the lock of its keeper.</summary>
internal sealed class SignedIn(string token, string hwid, SignetSession session)
{
    /// <summary>The session's token, which a renewal brings back to life.</summary>
    internal string Token { get; } = token;

    /// <summary>The hardware ID that was sent with the sign-in.</summary>
    internal string Hwid { get; } = hwid;

    internal SignetSession Session { get; set; } = session;

    /// <summary>The end of the session on the monotonic clock.</summary>
    internal TimeSpan EndsAt { get; set; }

    /// <summary>When the server was heard last, on the monotonic clock.</summary>
    internal TimeSpan HeardAt { get; set; }

    /// <summary>Why the session ended, once it has.</summary>
    internal SignetException? Lost { get; set; }

    /// <summary>Whether the program was told that the server can't be heard.</summary>
    internal bool IsInterrupted { get; set; }

    /// <summary>The renewal under way, which all calls share.</summary>
    internal Task? Renewal { get; set; }

    /// <summary>How often the session was renewed.</summary>
    internal int Renewals { get; set; }

    /// <summary>How many licenses were redeemed in this session.</summary>
    internal int Upgrades { get; set; }

    internal Heartbeat? Heartbeat { get; set; }
}
