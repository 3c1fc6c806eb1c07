using System;
using System.Text.Json.Nodes;
using Signet.Client.Testing;

namespace Signet.Client.Conformance;

/// <summary>The result of a <c>vectors</c> request.</summary>
internal static class VectorResults
{
    internal static JsonObject Run(string folder)
    {
        int passed = 0;
        JsonArray failed = new();
        foreach (string name in Vectors.Names(folder))
        {
            if (Problem(folder, name) is { } problem)
            {
                failed.Add($"{name}: {problem}");
            }
            else
            {
                passed++;
            }
        }

        return new JsonObject { ["passed"] = passed, ["failed"] = failed };
    }

    private static string? Problem(string folder, string name)
    {
        try
        {
            return Vectors.Problem(folder, name);
        }
        catch (Exception error)
        {
            return error.Message;
        }
    }
}
