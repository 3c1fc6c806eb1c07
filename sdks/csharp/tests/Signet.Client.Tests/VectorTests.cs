using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using Signet.Client.Testing;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>All cases of sdks/vectors.</summary>
public sealed class VectorTests
{
    private static readonly string Folder = FindFolder();

    public static IEnumerable<object[]> Names => Vectors.Names(Folder).Select(name => new object[] { name });

    [Theory]
    [MemberData(nameof(Names))]
    public void The_case_comes_out_as_written(string name) => Assert.Null(Vectors.Problem(Folder, name));

    [Fact]
    public void There_are_cases_of_every_kind()
    {
        string[] files = Vectors.Names(Folder).Select(name => name.Split(':')[0]).Distinct().ToArray();
        string[] needed =
            ["announcements", "certificates", "public-keys", "replies", "request-hash", "sealed-bodies"];
        foreach (string file in needed)
        {
            Assert.Contains(file, files);
        }
    }

    private static string FindFolder([CallerFilePath] string source = "") =>
        Path.Combine(Path.GetDirectoryName(source)!, "../../../vectors");
}
