using System;
using System.Linq;
using System.Threading.Tasks;
using Signet.Client;

// Asks for a license key, and works as long as the license allows it.
const int Rejected = 3;

try
{
    TaskCompletionSource<string> stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    SignetOptions options = Settings.Read(args);
    options.OnLost = error => stopped.TrySetResult(error.CustomerMessage);
    options.OnInterrupted = _ => Console.WriteLine("The license server can't be reached. Trying again…");
    options.OnResumed = () => Console.WriteLine("Connected again.");

    await using SignetClient client = new(options);
    Console.Write("License key: ");
    string key = Settings.Value(args, "key") ?? Console.ReadLine() ?? string.Empty;
    SignetSession session = await client.LicenseAsync(key);
    Console.WriteLine($"Welcome, {session.Username}. {Duration(session)}");
    if (args.Contains("--once"))
    {
        return 0;
    }

    Console.WriteLine("Press Enter to quit.");
    Task<string> quit = Task.Run(() => { Console.ReadLine(); return string.Empty; });
    string reason = await await Task.WhenAny(stopped.Task, quit);
    Console.WriteLine(reason);
    return reason.Length == 0 ? 0 : Rejected;
}
catch (SignetException error)
{
    Console.Error.WriteLine(error.CustomerMessage);
    return Rejected;
}

static string Duration(SignetSession session)
{
    bool isLifetime = session.Subscriptions.Any(subscription => subscription.ExpiresAt is null);
    DateTimeOffset? end = session.Subscriptions.Max(subscription => subscription.ExpiresAt);
    return isLifetime || end is null
        ? "Your license never ends."
        : FormattableString.Invariant($"Your license runs until {end.Value.ToLocalTime():yyyy-MM-dd HH:mm}.");
}
