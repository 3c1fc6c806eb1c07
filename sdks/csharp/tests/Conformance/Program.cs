using System;
using System.Threading.Tasks;

namespace Signet.Client.Conformance;

/// <summary>Reads one JSON object per line from standard input, and answers each with one on standard output.</summary>
internal static class Program
{
    internal static async Task Main()
    {
        Console.InputEncoding = new System.Text.UTF8Encoding(false);
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        await new Runner(Console.In, Console.Out, Console.Error).RunAsync().ConfigureAwait(false);
    }
}
